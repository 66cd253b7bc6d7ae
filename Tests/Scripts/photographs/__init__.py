"""Photographs of QR codes that never were taken: symbols, scenes, a camera, light and a sensor."""
