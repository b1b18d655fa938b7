"""The icons of the button, each as one path of 24 × 24, drawn with strokes 2 wide."""

ICONS = {
    "bubble": "M21 12a8.5 8.5 0 0 1-12.4 7.5L3 21l1.6-5.4A8.5 8.5 0 1 1 21 12z",
    "question": (
        "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3m.1 4h.01"
    ),
    "headset": (
        "M3 11h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-5a9 9 0 1 1 18 0v5a2 2 0 0 1-2 2h-1"
        "a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2h3m0 5v2a4 4 0 0 1-4 4h-5"
    ),
    "sparkle": (
        "m12 3 1.9 5.8a2 2 0 0 0 1.3 1.3L21 12l-5.8 1.9a2 2 0 0 0-1.3 1.3L12 21l-1.9-5.8"
        "a2 2 0 0 0-1.3-1.3L3 12l5.8-1.9a2 2 0 0 0 1.3-1.3z"
    ),
    "mail": (
        "M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2"
        "m18 3-8.97 5.7a2 2 0 0 1-2.06 0L2 7"
    ),
    "none": "",
}
DEFAULT = "bubble"


def path_of(icon: str) -> str:
    return ICONS.get(icon, ICONS[DEFAULT])
