print("cliptag")
