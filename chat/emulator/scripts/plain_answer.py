"""Answer a message that is no command."""

from chat.emulator.scripts import answers, passages
from chat.emulator.scripts.command import Ask
from chat.emulator.scripts.script import Script


def plain(ask: Ask) -> Script:
    images = [str(each) for message in ask.request.last_turn for each in message.images]
    count = len(ask.request.messages)
    quotes = passages.quotes_for(ask.request, ask.argument)
    if quotes is not None:
        return Script(text=[answers.from_passages(quotes, ask.rng)])
    return Script(text=[answers.plain(ask.argument, count, ask.rng, images)])
