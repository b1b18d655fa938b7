"""Configure the Permissions-Policy header and the contact in security.txt. Part of settings.py.

The content security policy is in chat/middleware/content_security.py.
"""

from project.config.env import env_list, stop

#: Unused features, disabled for injected scripts and framed pages too.
UNUSED_FEATURES = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "compute-pressure",
    "display-capture", "encrypted-media", "gamepad", "geolocation", "gyroscope", "hid",
    "idle-detection", "keyboard-map", "local-fonts", "magnetometer", "microphone", "midi",
    "payment", "picture-in-picture", "screen-wake-lock", "serial", "usb", "window-management",
    "xr-spatial-tracking",
)  # fmt: skip
PERMISSIONS_POLICY: dict[str, list[str] | str] = {
    **{name: [] for name in UNUSED_FEATURES},
    "clipboard-write": "self",
    "fullscreen": "self",
    "publickey-credentials-create": "self",
    "publickey-credentials-get": "self",
}

SCHEMES = ("mailto:", "https://", "tel:")  # RFC 9116


def _contact(text: str) -> str:
    """Return the address as a URI; an email address needs no scheme."""
    if text.startswith(SCHEMES):
        return text
    if "@" not in text or ":" in text or " " in text:
        stop("SECURITY_CONTACT", f"is {text!r}; write an email address or an https:// address")
    return f"mailto:{text}"


SECURITY_CONTACTS = [_contact(each) for each in env_list("SECURITY_CONTACT")]
