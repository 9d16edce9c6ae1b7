import type { Wording } from "../errors.ts";
import { daysBetween } from "./elapsed.ts";
import type {
  BackupMeasurements,
  CertificateMeasurements,
  DiskMeasurements,
  HealthMeasurements,
  ServerMeasurements,
} from "./facts.ts";
import { adviceUnlessGood, type HealthFinding, type LocalizedSentence } from "./finding.ts";
import { NODE_END_OF_LIFE_DATES } from "./node-releases.ts";
import { judgeQueues } from "./queue-findings.ts";

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;

/** Below this much free space, the state is bad, because writes can fail on a busy day. */
const DISK_BAD_BYTES = 256 * MEBIBYTE;
const DISK_WARN_BYTES = GIBIBYTE;
/**
 * Below this number of free inodes, the state is bad. Without an inode, no file can be created,
 * even if the disk has space.
 */
const FILES_BAD = 1000;
const FILES_WARN = 10_000;
const BACKUP_WARN_DAYS = 2;
const BACKUP_BAD_DAYS = 7;
/**
 * Certificates are usually renewed about 30 days before they expire. If fewer days are left than
 * this, a renewal must have failed.
 */
const CERTIFICATE_WARN_DAYS = 14;
const CERTIFICATE_BAD_DAYS = 3;
const NODE_WARN_DAYS = 60;
const LAG_WARN_SECONDS = 10;
const LAG_BAD_SECONDS = 300;
const CLOCK_BEHIND_MILLISECONDS = 60_000;

/** Judges the measured facts. The findings are in the order of `HEALTH_CHECKS`. */
export function judgeHealth(facts: HealthMeasurements, now: Date): HealthFinding[] {
  return [
    ...(facts.server === undefined ? [] : [serverFinding(facts.server)]),
    diskFinding(facts.disk),
    backupFinding(facts.backup, now),
    certificateFinding(facts.certificate, now),
    recordFinding(facts.record),
    copiesFinding(facts.copies),
    ...judgeQueues(facts.queues, now),
    clockFinding(facts.clock, now),
    filesFinding(facts.exposedFiles),
    versionFinding(facts.version, now),
  ];
}

function serverFinding(server: ServerMeasurements | null): HealthFinding {
  const check = "server";
  if (server === null) {
    return {
      check,
      state: "bad",
      meaning: ({ texts }) => texts.server.stopped,
      advice: ({ texts }) => texts.server.start,
    };
  }
  const { answer } = server;
  if (server.isReady) {
    return {
      check,
      state: "good",
      meaning: ({ texts }) => texts.server.ready(answer),
      advice: null,
    };
  }
  return {
    check,
    state: "bad",
    meaning: ({ texts }) => texts.server.refuses(answer),
    advice: ({ texts }) => texts.server.seeLog,
  };
}

function diskFinding(disk: DiskMeasurements | null): HealthFinding {
  const check = "disk";
  if (disk === null) {
    return {
      check,
      state: "bad",
      meaning: ({ texts }) => texts.disk.gone,
      advice: ({ texts }) => texts.disk.mount,
    };
  }
  const { freeBytes, totalBytes, freeFiles, storeBytes } = disk;
  // Twice the size of the store, because a restore, or a backup on the same disk, makes a copy of
  // the store.
  const warnBytes = Math.max(DISK_WARN_BYTES, 2 * storeBytes);
  const state = freeBytes < DISK_BAD_BYTES ? "bad" : freeBytes < warnBytes ? "warn" : "good";
  if (state !== "bad" && freeFiles !== null && freeFiles < FILES_WARN) {
    return {
      check,
      state: freeFiles < FILES_BAD ? "bad" : "warn",
      meaning: ({ texts, number }) => texts.disk.freeFiles(number(freeFiles)),
      advice: ({ texts }) => texts.disk.removeFiles,
    };
  }
  return {
    check,
    state,
    meaning: ({ texts, bytes }) => texts.disk.free(bytes(freeBytes), bytes(totalBytes)),
    advice: adviceUnlessGood(state, ({ texts }) => texts.disk.clear),
  };
}

function backupFinding(backup: BackupMeasurements, now: Date): HealthFinding {
  const check = "backup";
  if (backup.kind === "elsewhere") {
    return { check, state: "good", meaning: ({ texts }) => texts.backup.elsewhere, advice: null };
  }
  const { isScheduled, failed, emptyPlaces } = backup;
  const last: LocalizedSentence = ({ texts, moment }) => {
    if (backup.kind === "none") return texts.backup.none;
    const made = texts.backup.made(moment(backup.at), backup.place);
    return emptyPlaces.length === 0
      ? made
      : `${texts.backup.empty(emptyPlaces.join(", "))} ${made}`;
  };
  if (failed !== null) {
    return {
      check,
      state: "bad",
      meaning: (words) =>
        `${words.texts.backup.failed(words.moment(failed.at), failed.fault[words.language])} ${last(words)}`,
      advice: ({ texts }) => (isScheduled ? texts.backup.retried : texts.backup.retry),
    };
  }
  const advice: LocalizedSentence = ({ texts }) =>
    isScheduled ? texts.backup.due : texts.backup.make;
  if (backup.kind === "none") {
    const days = backup.since === null ? 0 : daysBetween(backup.since, now);
    const state = days >= BACKUP_BAD_DAYS ? "bad" : "warn";
    return { check, state, meaning: last, advice };
  }
  // Absolute, because a backup that a wrong clock dated in the future must not count as recent.
  const days = Math.abs(daysBetween(backup.at, now));
  const isLate = days >= BACKUP_WARN_DAYS || emptyPlaces.length > 0;
  const state = days >= BACKUP_BAD_DAYS ? "bad" : isLate ? "warn" : "good";
  return { check, state, meaning: last, advice: adviceUnlessGood(state, advice) };
}

function certificateFinding(certificate: CertificateMeasurements, now: Date): HealthFinding {
  const check = "certificate";
  switch (certificate.kind) {
    case "plain": {
      const { isLocal } = certificate;
      return {
        check,
        state: isLocal ? "good" : "warn",
        meaning: ({ texts }) => (isLocal ? texts.certificate.local : texts.certificate.plain),
        advice: isLocal ? null : ({ texts }) => texts.certificate.setUp,
      };
    }
    case "unread": {
      const { fault } = certificate;
      return {
        check,
        state: "warn",
        meaning: ({ texts, language }) => texts.certificate.unread(fault[language]),
        advice: ({ texts }) => texts.certificate.lookYourself,
      };
    }
    case "read":
      return readCertificateFinding(certificate, now);
  }
}

function readCertificateFinding(
  { endsAt, fault }: { endsAt: string; fault: Wording | null },
  now: Date,
): HealthFinding {
  const check = "certificate";
  const renew: HealthFinding["advice"] = ({ texts }) => texts.certificate.renew;
  if (fault !== null) {
    const meaning: HealthFinding["meaning"] = ({ texts, language }) =>
      texts.certificate.refused(fault[language]);
    return { check, state: "bad", meaning, advice: renew };
  }
  const days = daysBetween(now.toISOString(), new Date(endsAt));
  const state =
    days < CERTIFICATE_BAD_DAYS ? "bad" : days < CERTIFICATE_WARN_DAYS ? "warn" : "good";
  return {
    check,
    state,
    meaning: ({ texts, moment }) => texts.certificate.until(moment(endsAt)),
    advice: adviceUnlessGood(state, renew),
  };
}

function recordFinding({ fault, isDamaged }: HealthMeasurements["record"]): HealthFinding {
  const check = "record";
  if (fault !== null) {
    return {
      check,
      state: "bad",
      meaning: ({ language }) => fault[language],
      advice: ({ texts }) => texts.record.reach,
    };
  }
  if (isDamaged) {
    return {
      check,
      state: "bad",
      meaning: ({ texts }) => texts.record.damaged,
      advice: ({ texts }) => texts.record.restore,
    };
  }
  return { check, state: "good", meaning: ({ texts }) => texts.record.good, advice: null };
}

function copiesFinding(copies: HealthMeasurements["copies"]): HealthFinding {
  const check = "copies";
  if (copies === null) {
    return { check, state: "good", meaning: ({ texts }) => texts.copies.unread, advice: null };
  }
  const { isDamaged, lagSeconds } = copies;
  if (isDamaged) {
    return {
      check,
      state: "bad",
      meaning: ({ texts }) => texts.copies.damaged,
      advice: ({ texts }) => texts.copies.disk,
    };
  }
  const state =
    lagSeconds >= LAG_BAD_SECONDS ? "bad" : lagSeconds >= LAG_WARN_SECONDS ? "warn" : "good";
  return {
    check,
    state,
    meaning: ({ texts, number }) =>
      state === "good" ? texts.copies.good : texts.copies.behind(number(Math.round(lagSeconds))),
    advice: adviceUnlessGood(state, ({ texts }) => texts.copies.reach),
  };
}

function clockFinding({ isSteady, seenAt }: HealthMeasurements["clock"], now: Date): HealthFinding {
  const check = "clock";
  const advice: HealthFinding["advice"] = ({ texts }) => texts.clock.synchronise;
  const behindMilliseconds = seenAt === null ? 0 : Date.parse(seenAt) - now.getTime();
  if (behindMilliseconds > CLOCK_BEHIND_MILLISECONDS && seenAt !== null) {
    const meaning: HealthFinding["meaning"] = ({ texts, moment }) =>
      texts.clock.behind(moment(seenAt));
    return { check, state: "bad", meaning, advice };
  }
  if (!isSteady) {
    return { check, state: "warn", meaning: ({ texts }) => texts.clock.jumped, advice };
  }
  return { check, state: "good", meaning: ({ texts }) => texts.clock.good, advice: null };
}

function filesFinding(exposedFiles: readonly string[]): HealthFinding {
  const check = "files";
  if (exposedFiles.length === 0) {
    return { check, state: "good", meaning: ({ texts }) => texts.files.good, advice: null };
  }
  const names = exposedFiles.join(", ");
  return {
    check,
    state: "warn",
    meaning: ({ texts }) => texts.files.open(names),
    advice: ({ texts }) => texts.files.close,
  };
}

/**
 * Warns if the running release line of Node will soon get no more security updates. Does not warn
 * about release lines that are not listed.
 */
function versionFinding(
  { program, node }: HealthMeasurements["version"],
  now: Date,
): HealthFinding {
  const [line = ""] = node.split(".");
  const end = NODE_END_OF_LIFE_DATES[line];
  const isEnding =
    end !== undefined && daysBetween(now.toISOString(), new Date(end)) < NODE_WARN_DAYS;
  const state = isEnding ? "warn" : "good";
  return {
    check: "version",
    state,
    meaning: ({ texts }) =>
      isEnding ? texts.version.ends(program, node, end) : texts.version.runs(program, node),
    advice: adviceUnlessGood(state, ({ texts }) => texts.version.renew),
  };
}
