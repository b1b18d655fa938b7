CREATE TABLE chat_search (
    owner_id bigint NOT NULL,
    place bigint NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (owner_id, place)
);

CREATE FUNCTION chat_search_folded(given text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE
        WHEN octet_length(given) = length(given) THEN lower(given)
        ELSE replace(lower(normalize(regexp_replace(normalize(
            regexp_replace(given, '([\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7-\u05c7\u0610-\u061a\u064b-\u065f\u0670-\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711-\u0711\u0730-\u074a\u07eb-\u07f3\u07fd-\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c-\u093c\u094d-\u094d\u0951-\u0954\u09bc-\u09bc\u09cd-\u09cd\u09fe-\u09fe\u0a3c-\u0a3c\u0a4d-\u0a4d\u0abc-\u0abc\u0acd-\u0acd\u0b3c-\u0b3c\u0b4d-\u0b4d\u0bcd-\u0bcd\u0c3c-\u0c3c\u0c4d-\u0c4d\u0c55-\u0c56\u0cbc-\u0cbc\u0ccd-\u0ccd\u0d3b-\u0d3c\u0d4d-\u0d4d\u0dca-\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f18-\u0f19\u0f35-\u0f35\u0f37-\u0f37\u0f39-\u0f39\u0f71-\u0f75\u0f7a-\u0f7d\u0f80-\u0f84\u0f86-\u0f87\u0fc6-\u0fc6\u1037-\u1037\u1039-\u103a\u108d-\u108d\u135d-\u135f\u1714-\u1715\u1734-\u1734\u17d2-\u17d2\u17dd-\u17dd\u18a9-\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60-\u1a60\u1a75-\u1a7c\u1a7f-\u1a7f\u1ab0-\u1abd\u1abf-\u1ace\u1b34-\u1b34\u1b44-\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6-\u1be6\u1bf2-\u1bf3\u1c37-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced-\u1ced\u1cf4-\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20dc\u20e1-\u20e1\u20e5-\u20f0\u2cef-\u2cf1\u2d7f-\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua66f\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua806-\ua806\ua82c-\ua82c\ua8c4-\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953-\ua953\ua9b3-\ua9b3\ua9c0-\ua9c0\uaab0-\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1-\uaac1\uaaf6-\uaaf6\uabed-\uabed\ufb1e-\ufb1e\ufe20-\ufe2f\uff9e-\uff9f\U000101fd-\U000101fd\U000102e0-\U000102e0\U00010376-\U0001037a\U00010a0d-\U00010a0d\U00010a0f-\U00010a0f\U00010a38-\U00010a3a\U00010a3f-\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010eab-\U00010eac\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046-\U00011046\U00011070-\U00011070\U0001107f-\U0001107f\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173-\U00011173\U000111c0-\U000111c0\U000111ca-\U000111ca\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c\U0001134d-\U0001134d\U00011366-\U0001136c\U00011370-\U00011374\U00011442-\U00011442\U00011446-\U00011446\U0001145e-\U0001145e\U000114c2-\U000114c3\U000115bf-\U000115c0\U0001163f-\U0001163f\U000116b6-\U000116b7\U0001172b-\U0001172b\U00011839-\U0001183a\U0001193d-\U0001193e\U00011943-\U00011943\U000119e0-\U000119e0\U00011a34-\U00011a34\U00011a47-\U00011a47\U00011a99-\U00011a99\U00011c3f-\U00011c3f\U00011d42-\U00011d42\U00011d44-\U00011d45\U00011d97-\U00011d97\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0-\U00016ff1\U0001bc9e-\U0001bc9e\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021\U0001e023-\U0001e024\U0001e026-\U0001e02a\U0001e130-\U0001e136\U0001e2ae-\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a]{8})[\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7-\u05c7\u0610-\u061a\u064b-\u065f\u0670-\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711-\u0711\u0730-\u074a\u07eb-\u07f3\u07fd-\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c-\u093c\u094d-\u094d\u0951-\u0954\u09bc-\u09bc\u09cd-\u09cd\u09fe-\u09fe\u0a3c-\u0a3c\u0a4d-\u0a4d\u0abc-\u0abc\u0acd-\u0acd\u0b3c-\u0b3c\u0b4d-\u0b4d\u0bcd-\u0bcd\u0c3c-\u0c3c\u0c4d-\u0c4d\u0c55-\u0c56\u0cbc-\u0cbc\u0ccd-\u0ccd\u0d3b-\u0d3c\u0d4d-\u0d4d\u0dca-\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f18-\u0f19\u0f35-\u0f35\u0f37-\u0f37\u0f39-\u0f39\u0f71-\u0f75\u0f7a-\u0f7d\u0f80-\u0f84\u0f86-\u0f87\u0fc6-\u0fc6\u1037-\u1037\u1039-\u103a\u108d-\u108d\u135d-\u135f\u1714-\u1715\u1734-\u1734\u17d2-\u17d2\u17dd-\u17dd\u18a9-\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60-\u1a60\u1a75-\u1a7c\u1a7f-\u1a7f\u1ab0-\u1abd\u1abf-\u1ace\u1b34-\u1b34\u1b44-\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6-\u1be6\u1bf2-\u1bf3\u1c37-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced-\u1ced\u1cf4-\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20dc\u20e1-\u20e1\u20e5-\u20f0\u2cef-\u2cf1\u2d7f-\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua66f\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua806-\ua806\ua82c-\ua82c\ua8c4-\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953-\ua953\ua9b3-\ua9b3\ua9c0-\ua9c0\uaab0-\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1-\uaac1\uaaf6-\uaaf6\uabed-\uabed\ufb1e-\ufb1e\ufe20-\ufe2f\uff9e-\uff9f\U000101fd-\U000101fd\U000102e0-\U000102e0\U00010376-\U0001037a\U00010a0d-\U00010a0d\U00010a0f-\U00010a0f\U00010a38-\U00010a3a\U00010a3f-\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010eab-\U00010eac\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046-\U00011046\U00011070-\U00011070\U0001107f-\U0001107f\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173-\U00011173\U000111c0-\U000111c0\U000111ca-\U000111ca\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c\U0001134d-\U0001134d\U00011366-\U0001136c\U00011370-\U00011374\U00011442-\U00011442\U00011446-\U00011446\U0001145e-\U0001145e\U000114c2-\U000114c3\U000115bf-\U000115c0\U0001163f-\U0001163f\U000116b6-\U000116b7\U0001172b-\U0001172b\U00011839-\U0001183a\U0001193d-\U0001193e\U00011943-\U00011943\U000119e0-\U000119e0\U00011a34-\U00011a34\U00011a47-\U00011a47\U00011a99-\U00011a99\U00011c3f-\U00011c3f\U00011d42-\U00011d42\U00011d44-\U00011d45\U00011d97-\U00011d97\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0-\U00016ff1\U0001bc9e-\U0001bc9e\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021\U0001e023-\U0001e024\U0001e026-\U0001e02a\U0001e130-\U0001e136\U0001e2ae-\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a]+', '\1', 'g'), NFKD
        ), '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]', '', 'g'), NFKC) /* COLLATION */), 'ς', 'σ')
    END
$$;

CREATE FUNCTION chat_search_words(given text) RETURNS SETOF text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    folded text := chat_search_folded(given);
BEGIN
    IF folded !~ '[\u0e00-\u0e4e\u0e50-\u0e59\u0e80-\u0eff\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-\u17d3\u17dc-\u17ff\u2e80-\u2fef\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u309f\u30a1-\u30fa\u30fc-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7fe\uf900-\ufaff\U00020000-\U0003ffff]' THEN  -- four times as fast
        RETURN QUERY SELECT left(word, 64)
        FROM string_to_table(regexp_replace(folded, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u0700-\u070d\u0964\u0965\u0970\u0df4\u0e4f\u0e5a\u0e5b\u0f01-\u0f14\u0f3a-\u0f3d\u104a-\u104f\u1360-\u1368\u1400\u166d\u166e\u1680\u169b\u169c\u16eb-\u16ed\u17d4-\u17db\u1800-\u180e\u2000-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30a0\u30fb\ua4fe\ua4ff\ua60d-\ua60f\ua6f2-\ua6f7\ua874-\ua877\ua8ce\ua8cf\ua9c1-\ua9cd\uaa5c-\uaa5f\uabeb\ud7ff-\uf8ff\ufd3e\ufd3f\ufe10-\ufe6f\uff00-\uff65\uffe0-\uffff\U0001d000-\U0001d3ff\U0001f000-\U0001faff\U000e0000-\U0010ffff]+', ' ', 'g'), ' ') AS word
        WHERE word <> '';
    ELSE
        RETURN QUERY SELECT CASE
            WHEN run[1] IS NULL THEN left(run[2], 64) ELSE substr(run[1], place, 2)
        END
        FROM regexp_matches(folded, '([\u0e00-\u0e4e\u0e50-\u0e59\u0e80-\u0eff\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-\u17d3\u17dc-\u17ff\u2e80-\u2fef\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u309f\u30a1-\u30fa\u30fc-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7fe\uf900-\ufaff\U00020000-\U0003ffff]+)|([^\u0e00-\u0e4e\u0e50-\u0e59\u0e80-\u0eff\u1000-\u1049\u1050-\u109f\u1100-\u11ff\u1780-\u17d3\u17dc-\u17ff\u2e80-\u2fef\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u309f\u30a1-\u30fa\u30fc-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7fe\uf900-\ufaff\U00020000-\U0003ffff\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u0700-\u070d\u0964\u0965\u0970\u0df4\u0e4f\u0e5a\u0e5b\u0f01-\u0f14\u0f3a-\u0f3d\u104a-\u104f\u1360-\u1368\u1400\u166d\u166e\u1680\u169b\u169c\u16eb-\u16ed\u17d4-\u17db\u1800-\u180e\u2000-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30a0\u30fb\ua4fe\ua4ff\ua60d-\ua60f\ua6f2-\ua6f7\ua874-\ua877\ua8ce\ua8cf\ua9c1-\ua9cd\uaa5c-\uaa5f\uabeb\ud7ff-\uf8ff\ufd3e\ufd3f\ufe10-\ufe6f\uff00-\uff65\uffe0-\uffff\U0001d000-\U0001d3ff\U0001f000-\U0001faff\U000e0000-\U0010ffff]+)', 'g')
            WITH ORDINALITY AS runs (run, number),
            generate_series(1, coalesce(length(run[1]), 1)) AS place
        ORDER BY number, place;
    END IF;
END
$$;

CREATE FUNCTION chat_search_vector(owner bigint, place bigint, given text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN coalesce((
        SELECT string_agg(
            '''' || whose || '_' || word || ''':' || least(number, 16383), ' '
        )
        FROM chat_search_words(given) WITH ORDINALITY AS words (word, number),
            unnest(ARRAY[owner::text, 's' || (place >> 49)]) AS whose
    ), '')::tsvector;
EXCEPTION WHEN program_limit_exceeded THEN
    -- More different words than a vector holds: its first half is found.
    RETURN chat_search_vector(owner, place, left(given, length(given) / 2));
END
$$;

CREATE FUNCTION chat_search_place(said_at timestamptz, id bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT (greatest(0, least(4294967295, floor(extract(epoch FROM said_at))))::bigint
        << 31) + id
$$;

CREATE FUNCTION chat_search_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM chat_search WHERE place = chat_search_place(old.created_at, old.id);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO chat_search (place, owner_id, words)
        SELECT said, owner_id, chat_search_vector(owner_id, said, new.text)
        FROM chat_conversation, chat_search_place(new.created_at, new.id) AS said
        WHERE chat_conversation.id = new.conversation_id AND new.text <> ''
            AND length(new.text) <= 20000;
        IF length(new.text) > 20000 THEN
            INSERT INTO chat_unindexedmessage (message_id) VALUES (new.id) ON CONFLICT DO NOTHING;
        END IF;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION chat_search_clear() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE chat_search;
    RETURN NULL;
END
$$;

CREATE TRIGGER chat_search_insert_delete AFTER INSERT OR DELETE ON chat_message
    FOR EACH ROW EXECUTE FUNCTION chat_search_keep();
CREATE TRIGGER chat_search_update AFTER UPDATE ON chat_message FOR EACH ROW WHEN (
    (old.text, old.created_at, old.conversation_id)
    IS DISTINCT FROM (new.text, new.created_at, new.conversation_id)
) EXECUTE FUNCTION chat_search_keep();
CREATE TRIGGER chat_search_truncate AFTER TRUNCATE ON chat_message
    FOR EACH STATEMENT EXECUTE FUNCTION chat_search_clear();

CREATE INDEX chat_search_words ON chat_search USING gin (words) WITH (fastupdate = off);
-- For what is deleted, and for the staff, who look through everybody's newest.
CREATE INDEX chat_search_place ON chat_search (place);
