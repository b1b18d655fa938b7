"""What counts as the size of a conversation: the one rule, for triggers and recounts.

| row | bytes |
|---|---|
| message | its text and reasoning, and `MESSAGE_BYTES` |
| each further generation of an answer | `ATTEMPT_BYTES` |
| call of a tool | its arguments, result and refusal, and `CALL_BYTES` |
| passage that an answer may cite | its document's name and address, and `SOURCE_BYTES` |
| summary of a branch | its text |

Images and files are counted by themselves, as chats share them. What staff have redacted, and
ratings, don't count.
"""
# ruff: noqa: S608  (only constants are interpolated)

from dataclasses import dataclass

#: The size of a message besides its text: its row, its generation's row, and index entries.
MESSAGE_BYTES = 500
#: Of the row and index entries of a further generation.
ATTEMPT_BYTES = 600
#: Of a call's row and index entries.
CALL_BYTES = 300
#: Of a passage besides its document's name and address.
SOURCE_BYTES = 120

LENGTH = {"sqlite": "length(CAST({} AS BLOB))", "postgresql": "octet_length({})"}
#: The size of the passages in a row, where `{row}` is the table's name, or that of a trigger's row.
PASSAGES = {
    "sqlite": f"""coalesce((SELECT sum({SOURCE_BYTES}
        + length(CAST(coalesce(json_extract(value, '$.name'), '') AS BLOB))
        + length(CAST(coalesce(json_extract(value, '$.address'), '') AS BLOB)))
        FROM json_each({{row}}.passages)), 0)""",
    "postgresql": f"""coalesce((SELECT sum({SOURCE_BYTES}
        + octet_length(coalesce(passage ->> 'name', ''))
        + octet_length(coalesce(passage ->> 'address', '')))
        FROM jsonb_array_elements({{row}}.passages) AS passage), 0)""",
}


@dataclass(frozen=True, slots=True)
class Counted:
    """A table whose rows count: the bytes of `columns`, and `more_bytes` for each row.

    With `has_message`, a row is of a message, else of a conversation.
    """

    name: str  # in the names of triggers
    table: str
    columns: tuple[str, ...]
    more_bytes: int = 0
    has_message: bool = True

    def size_of(self, row: str, vendor: str) -> str:
        """Return the size of a row as an SQL expression."""
        if self is SOURCES:
            return PASSAGES[vendor].format(row=row)
        lengths = [LENGTH[vendor].format(f"{row}.{column}") for column in self.columns]
        return " + ".join([*lengths, *([str(self.more_bytes)] if self.more_bytes else [])])

    def sums(self, table: str, vendor: str) -> str:
        """Return a query for the sizes of the rows in `table` by conversation."""
        size = self.size_of(table, vendor)
        if not self.has_message:
            return f"SELECT conversation_id, sum({size}) AS bytes\n    FROM {table} GROUP BY 1"
        return f"""SELECT chat_message.conversation_id, sum({size}) AS bytes
    FROM {table} JOIN chat_message ON chat_message.id = {table}.message_id GROUP BY 1"""


MESSAGES = Counted("message", "chat_message", ("text", "reasoning"), MESSAGE_BYTES, False)
CALLS = Counted("call", "chat_storedtoolcall", ("arguments", "result", "refusal"), CALL_BYTES)
SOURCES = Counted("sources", "chat_messagesources", ("passages",))
SUMMARIES = Counted("summary", "chat_chatsummary", ("text",), has_message=False)
#: All but messages, whose triggers are older.
BESIDE_MESSAGES = (CALLS, SOURCES, SUMMARIES)
GENERATIONS = "chat_generation"
#: The sizes of all further generations by conversation.
FURTHER_GENERATIONS = f"""
SELECT chat_message.conversation_id, (sum(attempts.number) - count(*)) * {ATTEMPT_BYTES} AS bytes
FROM (SELECT message_id, count(*) AS number FROM {GENERATIONS} GROUP BY 1) AS attempts
JOIN chat_message ON chat_message.id = attempts.message_id GROUP BY 1
"""


def all_sizes(vendor: str) -> str:
    """Return a query for the sizes of all conversations that have any."""
    parts = [each.sums(each.table, vendor) for each in (MESSAGES, *BESIDE_MESSAGES)]
    union = " UNION ALL ".join([*parts, FURTHER_GENERATIONS])
    return f"SELECT conversation_id, sum(bytes) AS bytes FROM ({union}) AS sizes GROUP BY 1"
