-- What waits in each queue, kept by triggers in the transaction that changes it, so that every process sees the same
-- and none has to count.
CREATE TABLE queue_backlog (
  queue    TEXT PRIMARY KEY NOT NULL,
  messages INTEGER NOT NULL,
  bytes    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO queue_backlog (queue, messages, bytes) SELECT queue, count(*), sum(size) FROM messages GROUP BY queue;

CREATE TRIGGER messages_enter AFTER INSERT ON messages BEGIN
  INSERT INTO queue_backlog (queue, messages, bytes) VALUES (NEW.queue, 1, NEW.size)
  ON CONFLICT (queue) DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER messages_leave AFTER DELETE ON messages BEGIN
  UPDATE queue_backlog SET messages = messages - 1, bytes = bytes - OLD.size WHERE queue = OLD.queue;
END;

CREATE TRIGGER messages_move AFTER UPDATE OF queue, size ON messages BEGIN
  UPDATE queue_backlog SET messages = messages - 1, bytes = bytes - OLD.size WHERE queue = OLD.queue;
  INSERT INTO queue_backlog (queue, messages, bytes) VALUES (NEW.queue, 1, NEW.size)
  ON CONFLICT (queue) DO UPDATE SET messages = messages + 1, bytes = bytes + excluded.bytes;
END;

-- The value of `paused` that a configuration gave last: only another one is applied again.
ALTER TABLE queues ADD COLUMN configured_paused INTEGER;

-- What is too old: messages, requeued letters, bodies of answers.
CREATE INDEX messages_sent ON messages (queue, sent_at_ms);
CREATE INDEX dead_letters_requeued ON dead_letters (changed_at_ms) WHERE state = 'requeued';
CREATE INDEX delivery_attempts_bodies ON delivery_attempts (finished_at_ms) WHERE response_body IS NOT NULL;
