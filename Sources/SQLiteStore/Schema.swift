/// The tables, as migrations: entry n takes the schema from version n to n + 1. Entries never change once they
/// have been released. Times are milliseconds since 1970 by the host's clock, for people to read; nothing is
/// decided by them but when a half upload is old.
enum Schema {
    static let migrations = [
        """
        CREATE TABLE devices (
            pin TEXT PRIMARY KEY,          -- SHA-256 of the device's public key, 64 hex digits
            name TEXT NOT NULL,
            signing_key TEXT,              -- Ed25519, 64 hex digits
            paired_at INTEGER NOT NULL,
            last_seen INTEGER
        ) STRICT;

        CREATE TABLE tokens (
            hash TEXT PRIMARY KEY,         -- SHA-256 of the token; the token itself is nowhere
            boot_id TEXT NOT NULL,         -- valid in this boot of the host only
            expires_boot INTEGER NOT NULL, -- ns since the zero of CLOCK_BOOTTIME
            spent_by TEXT                  -- the pin that used it
        ) STRICT;

        CREATE TABLE contacts (            -- what a device's clocks meant, from its Lapel-Clock headers
            device TEXT NOT NULL,
            boot_id TEXT NOT NULL,
            first_boot INTEGER NOT NULL,   -- ns, the device's CLOCK_BOOTTIME
            last_boot INTEGER NOT NULL,
            least_offset INTEGER NOT NULL, -- ns, host's wall clock minus the device's boot time: smallest seen
            most_offset INTEGER NOT NULL,
            PRIMARY KEY (device, boot_id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE uploads (
            id TEXT PRIMARY KEY,           -- SHA-256 of utterance and kind
            utterance TEXT NOT NULL,
            kind TEXT NOT NULL,
            seq INTEGER NOT NULL,
            device TEXT NOT NULL,          -- the pin that created it
            length INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            ext TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            completed_at INTEGER
        ) STRICT;
        CREATE INDEX uploads_half ON uploads (created_at) WHERE completed_at IS NULL;
        CREATE INDEX uploads_device ON uploads (device);

        CREATE TABLE utterances (
            id TEXT PRIMARY KEY,           -- 32 hex digits
            seq INTEGER NOT NULL,
            device TEXT NOT NULL,
            manifest BLOB,                 -- the bytes as they came
            rang_at INTEGER,               -- when the manifest was stored
            audio_sha256 TEXT,
            audio_ext TEXT,
            audio_bytes INTEGER,
            first_at INTEGER NOT NULL,     -- when the first part was stored
            stored_at INTEGER              -- when it was whole
        ) STRICT;
        CREATE INDEX utterances_order ON utterances (first_at, device, seq);
        """,
        """
        ALTER TABLE uploads ADD COLUMN signature TEXT;       -- Ed25519 of UploadKey.signedText, 128 hex digits
        ALTER TABLE uploads ADD COLUMN forgotten_at INTEGER; -- withdrawn: this row alone is left, and answers
        CREATE INDEX uploads_utterance ON uploads (utterance);
        CREATE INDEX uploads_content ON uploads (sha256, ext);

        ALTER TABLE utterances ADD COLUMN manifest_sha256 TEXT; -- of the bytes here; NULL: they are as announced
        ALTER TABLE utterances ADD COLUMN part INTEGER NOT NULL DEFAULT 0; -- see PartState
        ALTER TABLE utterances ADD COLUMN recorder TEXT;     -- the pin that recorded it, as the manifest says
        ALTER TABLE utterances ADD COLUMN boot_id TEXT;      -- of the recorder; this and what follows: of the press
        ALTER TABLE utterances ADD COLUMN start_boot INTEGER; -- ns
        ALTER TABLE utterances ADD COLUMN start_wall INTEGER; -- ns, by the recorder's clock
        ALTER TABLE utterances ADD COLUMN wall_synchronised INTEGER;
        UPDATE utterances SET
            recorder = coalesce(nullif(json_extract(CAST(manifest AS TEXT), '$.device'), ''), device),
            boot_id = json_extract(CAST(manifest AS TEXT), '$.boot_id'),
            start_boot = json_extract(CAST(manifest AS TEXT), '$.start.boot_ns'),
            start_wall = json_extract(CAST(manifest AS TEXT), '$.start.wall_ns'),
            wall_synchronised = json_extract(CAST(manifest AS TEXT), '$.wall_synchronised')
        WHERE manifest IS NOT NULL AND json_valid(CAST(manifest AS TEXT));
        CREATE INDEX utterances_recorder ON utterances (recorder, boot_id);
        CREATE INDEX utterances_content ON utterances (audio_sha256, audio_ext);

        CREATE TABLE loose_files (         -- in audio/: made and not committed yet, or withdrawn and not gone yet
            sha256 TEXT NOT NULL,
            ext TEXT NOT NULL,
            utterance TEXT NOT NULL,
            PRIMARY KEY (sha256, ext, utterance)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        ALTER TABLE uploads ADD COLUMN metadata TEXT;        -- of a plain file: the client's header as it came
        DROP INDEX uploads_device;
        CREATE INDEX uploads_half_device ON uploads (device) WHERE completed_at IS NULL;

        CREATE TABLE holders (             -- pins that announced an upload which another one had created
            upload TEXT NOT NULL,
            device TEXT NOT NULL,
            PRIMARY KEY (upload, device)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER holders_end AFTER DELETE ON uploads BEGIN
            DELETE FROM holders WHERE upload = OLD.id;
        END;

        CREATE TABLE usage (               -- the sum of the lengths of what is not forgotten
            device TEXT PRIMARY KEY,
            bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO usage SELECT device, sum(length) FROM uploads WHERE forgotten_at IS NULL GROUP BY device;
        CREATE TRIGGER usage_grows AFTER INSERT ON uploads WHEN NEW.forgotten_at IS NULL BEGIN
            INSERT INTO usage (device, bytes) VALUES (NEW.device, NEW.length)
            ON CONFLICT (device) DO UPDATE SET bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER usage_shrinks AFTER DELETE ON uploads WHEN OLD.forgotten_at IS NULL BEGIN
            UPDATE usage SET bytes = bytes - OLD.length WHERE device = OLD.device;
        END;
        CREATE TRIGGER usage_forgets AFTER UPDATE OF forgotten_at ON uploads
        WHEN OLD.forgotten_at IS NULL AND NEW.forgotten_at IS NOT NULL BEGIN
            UPDATE usage SET bytes = bytes - OLD.length WHERE device = OLD.device;
        END;
        """,
        """
        CREATE TABLE feed (                -- what happened, in the order of the commits
            number INTEGER PRIMARY KEY,    -- the newest row is never deleted: none is given twice
            at INTEGER NOT NULL,
            event TEXT NOT NULL,           -- see FeedWord
            subject TEXT NOT NULL          -- an id and no more: of an upload, an utterance, or a pin
        ) STRICT;
        """,
    ]
}
