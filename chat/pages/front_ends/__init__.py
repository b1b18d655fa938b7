"""Front ends of a website other than our frame: pages and servers that ask for answers themselves.

They hold the conversation and send it along. What they speak differs (docs/front_ends.md); who may
ask, what it costs and the log behind an answer do not.
"""
