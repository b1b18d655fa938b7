"""Choose what the emulated model does, by the first word of the user's last message.

`COMMANDS` is the only table of commands: /help, the documentation's test and the choice itself read
it. A message that starts with any other word gets a plain answer.
"""

import random
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from chat.emulator.common import tokens
from chat.emulator.common.faults import FAULTS, Break, Refusal
from chat.emulator.requests import formats
from chat.emulator.requests.inputs import ChatRequest
from chat.emulator.scripts import answers, tool_commands
from chat.emulator.scripts.command import Ask, Command
from chat.emulator.scripts.plain_answer import plain
from chat.emulator.scripts.prose import Writer
from chat.emulator.scripts.script import Script, in_json, think_tags

TOKENS_BEFORE_A_BREAK = 12
TOKENS_NEVER_SENT = 50
MAX_REASON_CHARS = 60
#: After a question, the pages that earlier answers have found. They ask for nothing.
EARLIER = "<earlier-"
HIDDEN_TOKENS_OF_AN_EMPTY_ANSWER = 24
USUAL_THINKING_TOKENS = 30
OVERTHINKING_TOKENS = 3000
#: Factors for the length of the reasoning, by effort.
THINKING_BY_EFFORT = {"minimal": 0.05, "low": 0.1, "high": 2.0, "max": 4.0}


def choose(request: ChatRequest, times_asked_before: int, rng: random.Random) -> Script:
    """Return the script for a request; raise Refusal if it is an error response."""
    script = _script(request, times_asked_before, rng)
    if request.json_format is not None and script.text and not script.break_kind:
        script = in_json(request, script)
    script = replace(script, text=formats.until_stop(script.text, request.stops))
    if request.thinking and script.text and not script.reasoning and not script.break_kind:
        count = _thinking_tokens(request, USUAL_THINKING_TOKENS)
        return replace(script, reasoning=Writer(rng).musings(count))
    if request.model.reasoning and not request.thinking:
        return replace(script, reasoning="")  # whatever reasoning the command asks for
    return script


def _thinking_tokens(request: ChatRequest, usual: int) -> int:
    return max(1, int(usual * THINKING_BY_EFFORT.get(request.effort, 1.0)))


def _script(request: ChatRequest, times_asked_before: int, rng: random.Random) -> Script:
    turn = request.last_turn
    results = [message.text for message in turn if message.role == "tool"]
    text = turn[0].text.partition(EARLIER)[0].strip() if turn else ""
    word, argument = [*text.split(maxsplit=1), "", ""][:2]
    ask = Ask(argument, request, times_asked_before, rng)
    command = _BY_WORD.get(word.lower())
    if results and (command is None or command.script is not tool_commands.call_again):
        return tool_commands.after_tool(results[-1], replace(ask, argument=text))
    if command is None:
        return tool_commands.answer_or_call(replace(ask, argument=text))
    return command.script(ask)


def _help(ask: Ask) -> Script:
    rows = ((command.usage, command.description) for command in COMMANDS)
    return Script(text=[answers.command_table(rows)])


def _markdown(ask: Ask) -> Script:
    return Script(text=[answers.markdown()])


def _long(ask: Ask) -> Script:
    pace = ask.after_number().number(0)
    text = ask.writer.chapters(ask.number(2000))
    return Script(text=text, tokens_per_second=float(pace) or None)


def _think(ask: Ask) -> Script:
    return _thinking(ask, 120)


def _overthink(ask: Ask) -> Script:
    return _thinking(ask, OVERTHINKING_TOKENS)


def _thinking(ask: Ask, usual: int) -> Script:
    count = _thinking_tokens(ask.request, ask.number(usual))
    return replace(plain(ask.after_number()), reasoning=ask.writer.musings(count))


def _paced(tokens_per_second: float, ask: Ask) -> Script:
    return replace(plain(ask), tokens_per_second=tokens_per_second)


def _hostile(ask: Ask) -> Script:
    return Script(text=[answers.hostile()])


def _cards(ask: Ask) -> Script:
    return Script(text=[answers.cards(ask.word or "https://example.org/")])


def _error(ask: Ask) -> Script:
    if ask.word in FAULTS:
        model = ask.request.model
        # Must be the model's own window, which clients may learn from the error.
        limit = model.context_window
        raise Refusal(ask.word, model=model.id, limit=limit, tokens=limit + limit // 3)
    return Script(text=[answers.error_codes(ask.word)])


def _busy(ask: Ask) -> Script:
    if ask.times_asked_before < ask.number(1):
        raise Refusal("3040")
    return plain(ask.after_number())


def _broken(kind: Break, ask: Ask) -> Script:
    after = ask.number(TOKENS_BEFORE_A_BREAK)
    text = ask.writer.paragraph(after + TOKENS_NEVER_SENT)
    return Script(text=[text], break_kind=kind, break_after=after)


def _empty(ask: Ask) -> Script:
    return Script(hidden_tokens=HIDDEN_TOKENS_OF_AN_EMPTY_ANSWER)


def _quirks(ask: Ask) -> Script:
    return Script(payloads=answers.quirks())


def _object(ask: Ask) -> Script:
    return Script(value=answers.as_object(ask.argument))


def _number(ask: Ask) -> Script:
    return Script(value=ask.number(42))


def _refuse(ask: Ask) -> Script:
    return Script(refusal=answers.refusal())


def _filtered(ask: Ask) -> Script:
    return _ended("content_filter", ask)


def _finish(ask: Ask) -> Script:
    reason = ask.word[:MAX_REASON_CHARS] or "abort"
    return _ended(reason, replace(ask, argument=ask.argument[len(ask.word) :]))


def _ended(reason: str, ask: Ask) -> Script:
    """Return the beginning of an answer that ends for this reason."""
    count = ask.number(TOKENS_BEFORE_A_BREAK)
    text = ask.writer.paragraph(count + TOKENS_NEVER_SENT)
    beginning = "".join(islice(tokens.split(text), count))
    return Script(text=[beginning], hidden_tokens=1, finish_reason=reason)


def _parts(ask: Ask) -> Script:
    reasoning = ask.writer.musings(USUAL_THINKING_TOKENS)
    return replace(plain(ask), reasoning=reasoning, has_parts=True)


def _think_tags(ask: Ask) -> Script:
    reasoning = ask.writer.musings(USUAL_THINKING_TOKENS)
    return replace(plain(ask), text=chain([think_tags(reasoning)], plain(ask).text))


def _message(ask: Ask) -> Script:
    return replace(plain(ask), whole_message=True)


def _cached(ask: Ask) -> Script:
    count = ask.number(ask.request.prompt_tokens // 2)
    return replace(plain(ask.after_number()), cached_tokens=count)


def _bytes(ask: Ask) -> Script:
    return Script(text=[answers.many_scripts()], byte_by_byte=True)


def _json(ask: Ask) -> Script:
    return replace(plain(ask), document_only=True)


COMMANDS: tuple[Command, ...] = (
    Command("help", "", "Shows this list", _help),
    Command("markdown", "", "Shows every kind of formatting", _markdown),
    Command(
        "long",
        "[tokens] [pace]",
        "Writes a long text (2000 tokens), at that many tokens per second",
        _long,
    ),
    Command("think", "[tokens] [text]", "Thinks before answering (120 tokens)", _think),
    Command(
        "overthink",
        "[tokens] [text]",
        "Thinks so long (3000 tokens) that there may be no room left for an answer",
        _overthink,
    ),
    Command("think-tags", "[text]", "Writes its reasoning between tags in the text", _think_tags),
    Command("parts", "[text]", "Sends reasoning and text as lists of parts", _parts),
    Command(
        "tool",
        "[name] [text]",
        "Calls that tool, or the first one; its arguments may be a JSON object",
        tool_commands.call_tool,
    ),
    Command(
        "tool-loop",
        "[times] [text]",
        "Calls the first tool so many times before it answers; without a number, for ever",
        tool_commands.call_again,
    ),
    Command(
        "tool-text",
        "[name] [text]",
        "Like `/tool`, but writes the call into its answer, as a server does that doesn't parse "
        "the model's format",
        tool_commands.call_in_text,
    ),
    Command(
        "tool-cut",
        "[text]",
        "Reaches the length limit while it calls the first tool",
        tool_commands.cut_call,
    ),
    Command("slow", "[text]", "Answers at 5 tokens per second", partial(_paced, 5.0)),
    Command("fast", "[text]", "Answers at 500 tokens per second", partial(_paced, 500.0)),
    Command("hostile", "", "Answers with text that tries to attack the page", _hostile),
    Command("cards", "[address]", "Answers with buttons, and cards that link there", _cards),
    Command("error", "CODE", "Returns that error; without a code, lists them", _error),
    Command("busy", "[times] [text]", "Is at capacity that many times (1), then answers", _busy),
    Command(
        "error-after",
        "[tokens]",
        "Sends an error in the stream after some tokens (12)",
        partial(_broken, Break.ERROR),
    ),
    Command(
        "stall",
        "[tokens]",
        "Stops sending after some tokens (12), but stays connected",
        partial(_broken, Break.STALL),
    ),
    Command(
        "comments",
        "[tokens]",
        "Stops sending text after some tokens (12), but keeps sending comments",
        partial(_broken, Break.COMMENTS),
    ),
    Command(
        "cut",
        "[tokens]",
        "Ends after some tokens (12) without an end marker",
        partial(_broken, Break.CUT),
    ),
    Command(
        "reset",
        "[tokens]",
        "Resets the connection after some tokens (12)",
        partial(_broken, Break.RESET),
    ),
    Command("empty", "", "Returns an empty answer, and bills for it", _empty),
    Command("object", "[text]", "Answers with a JSON object where text is expected", _object),
    Command(
        "number", "[number]", "Answers with a bare number (42) where text is expected", _number
    ),
    Command("refuse", "", "Refuses, in OpenAI's refusal field", _refuse),
    Command(
        "filtered",
        "[tokens]",
        "Is stopped by a content filter after some tokens (12)",
        _filtered,
    ),
    Command(
        "finish",
        "[reason] [tokens]",
        "Ends with that finish reason (abort) after some tokens (12)",
        _finish,
    ),
    Command("message", "[text]", "Sends the whole answer in one chunk", _message),
    Command(
        "cached",
        "[tokens] [text]",
        "Reports that many tokens of the prompt as cached (half of them)",
        _cached,
    ),
    Command("quirks", "", "Sends all oddities seen on real streams at once", _quirks),
    Command("bytes", "", "Sends one byte at a time, in many scripts", _bytes),
    Command("json", "[text]", "Answers in one document although a stream was requested", _json),
)
_BY_WORD = {f"/{command.name}": command for command in COMMANDS}
