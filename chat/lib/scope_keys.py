"""Keys in the ASGI scope of what guards before Django tell the code behind it."""

#: A form was too long to read: project/asgi/guards/long_bodies.py
TOO_LONG = "runnel.too_long"
#: A function that returns the bytes received so far: project/asgi/guards/body_guard.py
RECEIVED_BYTES = "runnel.received_bytes"
