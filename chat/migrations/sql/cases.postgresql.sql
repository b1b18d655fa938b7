CREATE FUNCTION chat_conversationstats_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET case_state = new.state
    WHERE conversation_id = new.conversation_id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_case AFTER INSERT ON chat_case
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_case();

CREATE FUNCTION chat_conversationstats_case_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET case_state = new.state
    WHERE conversation_id = new.conversation_id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_case_state AFTER UPDATE OF state ON chat_case
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_case_state();

CREATE FUNCTION chat_conversationstats_no_case() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET case_state = coalesce(
        (SELECT state FROM chat_case WHERE conversation_id = old.conversation_id
            ORDER BY id DESC LIMIT 1), 0)
    WHERE conversation_id = old.conversation_id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_no_case AFTER DELETE ON chat_case
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_no_case();

CREATE FUNCTION chat_conversationstats_flagged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET flag_sources = flag_sources | new.source
    WHERE conversation_id = (SELECT conversation_id FROM chat_case WHERE id = new.case_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_flagged AFTER INSERT ON chat_flag
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_flagged();

CREATE FUNCTION chat_conversationstats_unflagged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET flag_sources = coalesce(
        (SELECT sum(DISTINCT f.source) FROM chat_flag f JOIN chat_case c ON c.id = f.case_id
            WHERE c.conversation_id = chat_conversationstats.conversation_id), 0)
    WHERE conversation_id = (SELECT conversation_id FROM chat_case WHERE id = old.case_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_unflagged AFTER DELETE ON chat_flag
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_unflagged();

CREATE FUNCTION chat_rules_asked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chat_pendingrulecheck (message)
    SELECT new.id WHERE new.role = 'user' AND EXISTS (SELECT 1 FROM chat_rule WHERE is_enabled)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_rules_asked AFTER INSERT ON chat_message
    FOR EACH ROW EXECUTE FUNCTION chat_rules_asked();

CREATE FUNCTION chat_rules_answered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chat_pendingrulecheck (message)
    SELECT new.message_id WHERE new.state <> 'running' AND EXISTS (SELECT 1 FROM chat_rule WHERE is_enabled)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_rules_answered AFTER INSERT ON chat_generation
    FOR EACH ROW EXECUTE FUNCTION chat_rules_answered();

CREATE FUNCTION chat_rules_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chat_pendingrulecheck (message)
    SELECT new.message_id WHERE new.state <> 'running' AND EXISTS (SELECT 1 FROM chat_rule WHERE is_enabled)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_rules_ended AFTER UPDATE OF state ON chat_generation
    FOR EACH ROW EXECUTE FUNCTION chat_rules_ended();
