-- Which requests of each key were accepted in the last minute, for all instances together. Unlogged:
-- it costs next to nothing, and what a crash of the server loses the instances tell it again.
CREATE UNLOGGED TABLE rate_memory (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Another after every loss, so that instances notice.
  epoch text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text
);

-- The accepted requests of a window are numbered from 1. Moments are milliseconds of the server's
-- clock plus `ahead`, which grows by as much as that clock is set back: so they never go backwards.
CREATE UNLOGGED TABLE rate_windows (
  name text COLLATE "C" PRIMARY KEY,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  latest bigint NOT NULL DEFAULT 0,
  latest_at bigint NOT NULL DEFAULT 0,
  -- All before this one have left the window.
  oldest bigint NOT NULL DEFAULT 1,
  -- All before this one are deleted.
  kept_from bigint NOT NULL DEFAULT 1,
  ahead bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Requests from number `first` to the next row's were accepted at the same moment.
CREATE UNLOGGED TABLE rate_turns (
  window_id bigint NOT NULL,
  first bigint NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (window_id, first)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- Decides on `asked` more requests of each window, of which never more than its limit are accepted in
-- any minute. Adds first those of which this server does not know, `told` of them, the latest `told_ago`
-- milliseconds ago. Windows must be given in the same order by all, as each is locked in turn. With
-- another epoch than the present one nothing is decided but what that is.
CREATE FUNCTION take_turns(
  known_epoch text,
  windows text[],
  limits bigint[],
  asked bigint[],
  told bigint[],
  told_ago bigint[],
  moment bigint DEFAULT NULL
) RETURNS TABLE (
  epoch text,
  accepted integer,
  -- How many were in the window before.
  before integer,
  -- Milliseconds until the oldest leaves it.
  resets_in integer,
  -- Milliseconds until one more is accepted; only if some were refused.
  frees_in integer
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  minute CONSTANT bigint := 60000;
  w rate_windows;
  turn rate_turns;
  at_once bigint;
  is_set_back boolean;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true);
  SELECT m.epoch INTO epoch FROM rate_memory m WHERE is_only;
  IF NOT FOUND THEN
    INSERT INTO rate_memory DEFAULT VALUES ON CONFLICT DO NOTHING;
    SELECT m.epoch INTO epoch FROM rate_memory m WHERE is_only;
  END IF;
  IF epoch <> known_epoch THEN
    RETURN NEXT;
    RETURN;
  END IF;
  FOR i IN 1 .. cardinality(windows) LOOP
    SELECT * INTO w FROM rate_windows WHERE name = windows[i] FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO rate_windows AS known (name) VALUES (windows[i])
        ON CONFLICT (name) DO UPDATE SET name = known.name RETURNING * INTO w;
    END IF;
    at_once := w.ahead
      + coalesce(moment, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    is_set_back := w.latest_at > at_once;
    IF is_set_back THEN
      w.ahead := w.ahead + w.latest_at - at_once;
      at_once := w.latest_at;
    END IF;
    IF told[i] > 0 THEN
      w.latest_at := greatest(w.latest_at, at_once - told_ago[i]);
      INSERT INTO rate_turns VALUES (w.id, w.latest + 1, w.latest_at);
      w.latest := w.latest + told[i];
    END IF;
    SELECT * INTO turn FROM rate_turns
      WHERE window_id = w.id AND first >= w.oldest AND at > at_once - minute
      ORDER BY first LIMIT 1;
    w.oldest := coalesce(turn.first, w.latest + 1);
    before := w.latest - w.oldest + 1;
    resets_in := coalesce(turn.at, at_once) + minute - at_once;
    accepted := least(asked[i], greatest(0, limits[i] - before));
    IF accepted > 0 THEN
      INSERT INTO rate_turns VALUES (w.id, w.latest + 1, at_once);
      w.latest := w.latest + accepted;
      w.latest_at := at_once;
    END IF;
    frees_in := NULL;
    IF accepted < asked[i] THEN
      SELECT at + minute - at_once INTO frees_in FROM rate_turns
        WHERE window_id = w.id AND first <= w.latest - limits[i] + 1
        ORDER BY first DESC LIMIT 1;
    END IF;
    IF accepted > 0 AND w.oldest - w.kept_from >= 100 THEN
      DELETE FROM rate_turns WHERE window_id = w.id AND first < w.oldest;
      w.kept_from := w.oldest;
    END IF;
    IF accepted > 0 OR told[i] > 0 OR is_set_back THEN
      UPDATE rate_windows SET latest = w.latest, latest_at = w.latest_at, oldest = w.oldest,
        kept_from = w.kept_from, ahead = w.ahead
        WHERE name = windows[i];
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Lets go of windows that nothing was accepted in for a minute; those in use at this moment stay.
CREATE FUNCTION forget_turns(moment bigint DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  WITH idle AS (
    SELECT name FROM rate_windows
    WHERE latest_at <= ahead - 60000
      + coalesce(moment, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    LIMIT 10000 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM rate_windows USING idle WHERE rate_windows.name = idle.name
    RETURNING rate_windows.id
  )
  DELETE FROM rate_turns USING gone WHERE window_id = gone.id
$$;
