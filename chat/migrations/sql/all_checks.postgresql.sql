CREATE OR REPLACE FUNCTION chat_rules_asked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chat_pendingrulecheck (message)
    SELECT new.id WHERE new.role = 'user'
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION chat_rules_answered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chat_pendingrulecheck (message)
    SELECT new.message_id WHERE new.state <> 'running'
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION chat_rules_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chat_pendingrulecheck (message)
    SELECT new.message_id WHERE new.state <> 'running'
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
