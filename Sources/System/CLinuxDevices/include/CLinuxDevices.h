#ifndef CLINUXDEVICES_H
#define CLINUXDEVICES_H

#include <linux/input.h>
#include <linux/videodev2.h>

/* The kernel's interfaces to cameras (Video4Linux) and to keyboards (evdev). Swift sees the
 * structures; it cannot see the numbers of the requests, whose macros hold a sizeof. */

static const unsigned long CVIDEO_QUERY_CAPABILITIES = VIDIOC_QUERYCAP;
static const unsigned long CVIDEO_LIST_FORMATS = VIDIOC_ENUM_FMT;
static const unsigned long CVIDEO_LIST_SIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long CVIDEO_SET_FORMAT = VIDIOC_S_FMT;
static const unsigned long CVIDEO_REQUEST_BUFFERS = VIDIOC_REQBUFS;
static const unsigned long CVIDEO_QUERY_BUFFER = VIDIOC_QUERYBUF;
static const unsigned long CVIDEO_QUEUE_BUFFER = VIDIOC_QBUF;
static const unsigned long CVIDEO_DEQUEUE_BUFFER = VIDIOC_DQBUF;
static const unsigned long CVIDEO_START = VIDIOC_STREAMON;
static const unsigned long CVIDEO_STOP = VIDIOC_STREAMOFF;

static const unsigned int CVIDEO_CAN_CAPTURE = V4L2_CAP_VIDEO_CAPTURE;
static const unsigned int CVIDEO_CAN_STREAM = V4L2_CAP_STREAMING;
static const unsigned int CVIDEO_HAS_DEVICE_CAPABILITIES = V4L2_CAP_DEVICE_CAPS;
static const unsigned int CVIDEO_BUFFER_DAMAGED = V4L2_BUF_FLAG_ERROR;

static const unsigned long CINPUT_GRAB = EVIOCGRAB;

#endif
