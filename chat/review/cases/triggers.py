"""Define triggers for the queue: stats follow cases, and new messages wait for rules.

Streams never wait for a rule. The transaction that stores a question or an answer also stores its
ID; rule_runner.py looks for personal data in it later, and checks the rules.
"""

STATE = """
UPDATE chat_conversationstats SET case_state = new.state
WHERE conversation_id = new.conversation_id
"""
WITHOUT = """
UPDATE chat_conversationstats SET case_state = coalesce(
    (SELECT state FROM chat_case WHERE conversation_id = old.conversation_id
        ORDER BY id DESC LIMIT 1), 0)
WHERE conversation_id = old.conversation_id
"""
FLAGGED = """
UPDATE chat_conversationstats SET flag_sources = flag_sources | new.source
WHERE conversation_id = (SELECT conversation_id FROM chat_case WHERE id = new.case_id)
"""
UNFLAGGED = """
UPDATE chat_conversationstats SET flag_sources = coalesce(
    (SELECT sum(DISTINCT f.source) FROM chat_flag f JOIN chat_case c ON c.id = f.case_id
        WHERE c.conversation_id = chat_conversationstats.conversation_id), 0)
WHERE conversation_id = (SELECT conversation_id FROM chat_case WHERE id = old.case_id)
"""
IS_NEW = """
INSERT INTO chat_pendingrulecheck (message)
SELECT {message} WHERE {condition}
ON CONFLICT DO NOTHING
"""
ASKED = IS_NEW.format(message="new.id", condition="new.role = 'user'")
ANSWERED = IS_NEW.format(message="new.message_id", condition="new.state <> 'running'")

#: Trigger name → event, table, and the statement for each row.
OF_CASES = {
    "chat_conversationstats_case": ("INSERT", "chat_case", STATE),
    "chat_conversationstats_case_state": ("UPDATE OF state", "chat_case", STATE),
    "chat_conversationstats_no_case": ("DELETE", "chat_case", WITHOUT),
    "chat_conversationstats_flagged": ("INSERT", "chat_flag", FLAGGED),
    "chat_conversationstats_unflagged": ("DELETE", "chat_flag", UNFLAGGED),
    "chat_rules_asked": ("INSERT", "chat_message", ASKED),
    "chat_rules_answered": ("INSERT", "chat_generation", ANSWERED),
    "chat_rules_ended": ("UPDATE OF state", "chat_generation", ANSWERED),
}
