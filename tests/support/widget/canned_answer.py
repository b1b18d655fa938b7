"""Helpers for the tests of the widget's visits."""

from tests.support.upstream.raw_upstream import always, stream_of

SAYS_AYE = always(stream_of(b'data: {"response":"Aye"}\n\n', b"data: [DONE]\n\n"))
