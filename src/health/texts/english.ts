/** Texts of the health report, for every door. */
export const HEALTH_ENGLISH = {
  title: "Health",
  intro: "Whether everything that keeps the site alive is in order, as it is now.",
  advice: "What to do:",
  states: { good: "Good", warn: "Look soon", bad: "Bad" },
  checks: {
    server: "Server",
    disk: "Disk",
    backup: "Backup",
    certificate: "Certificate",
    record: "Record",
    copies: "Reading copy",
    mail: "Mail",
    webhooks: "Webhooks",
    jobs: "Imports and exports",
    clock: "Clock",
    files: "Access to files",
    version: "Version",
  },
  unknown: "It cannot be found out at the moment.",
  server: {
    ready: (answer: string) => `It runs and says: ${answer}`,
    stopped: "Nothing answers at HOST and PORT.",
    start: "Start the server, or give this command the settings that the server has.",
    refuses: (answer: string) => `It runs but takes no visitors: ${answer}`,
    seeLog: "If it stays so for minutes, read the log of the server.",
  },
  disk: {
    gone: "The data folder cannot be found.",
    mount: "Put it back or mount its volume, then start the server again.",
    free: (free: string, total: string) => `${free} of ${total} is free where the data folder is.`,
    clear:
      "Make room or enlarge the disk: without room nothing can be saved, and a backup or a restore needs as much as the site has.",
    freeFiles: (count: string) =>
      `The file system of the data folder has room for ${count} more files (free inodes).`,
    removeFiles:
      "Find out what fills it with small files, with “df -i” and “du --inodes”, and delete what nothing needs: without free inodes nothing can be saved, however much space is free.",
  },
  backup: {
    elsewhere: "The record is in PostgreSQL: its backups are made, and watched, there.",
    none: "No backup has been made.",
    made: (when: string, place: string) => `The last backup was made on ${when}: ${place}`,
    failed: (when: string, fault: string) => `The backup of ${when} failed: ${fault}.`,
    make: "Set BACKUP_AT and BACKUP_TO, so that the server makes one every day, on another machine if possible.",
    due: "The server makes one every day while it runs: see whether it runs, and read its log.",
    retried:
      "Mend what is said there. The server tries again every hour; “commonplace backup” does so at once.",
    retry: "Mend what is said there, then run “commonplace backup”.",
  },
  certificate: {
    local: "The site is only for this machine, and needs none.",
    plain: "PUBLIC_URL begins with http://: what visitors and editors send can be read on the way.",
    setUp: "Put a proxy with TLS in front, and set PUBLIC_URL to its https:// address.",
    unread: (fault: string) => `The certificate could not be read from here: ${fault}`,
    lookYourself:
      "Open the site from another machine. If it opens there, this machine just cannot reach its own public address.",
    refused: (fault: string) => `Browsers refuse the certificate of the site: ${fault}`,
    until: (when: string) => `The certificate of the public address ends on ${when}.`,
    renew: "Read the log of the proxy that renews it: renewal has failed.",
  },
  record: {
    good: "It answers, and no damage is known.",
    damaged: "Stored content is damaged: some of it cannot be shown or changed.",
    restore:
      "Copy the data folder, then restore the latest backup that “commonplace verify” finds whole.",
    reach: "Start the database, or correct what is said above.",
  },
  copies: {
    good: "It has every change.",
    unread:
      "There is none to read here, or it has to be rebuilt: the server does so before it is ready.",
    damaged: "It is damaged and is being rebuilt from the record.",
    disk: "If this returns, the disk is failing: replace it.",
    behind: (seconds: string) => `Visitors see the site as it was ${seconds} seconds ago.`,
    reach: "See whether this machine reaches the database, and whether that is overloaded.",
  },
  queues: {
    empty: "Nothing waits.",
    waiting: (count: string, since: string) => `Waiting: ${count}, the oldest since ${since}.`,
    mailGivenUp: "In the last week a mail was given up, as no attempt succeeded.",
    mailAdvice: "Look for “Could not send a mail” in the log, and check SMTP_URL and MAIL_FROM.",
    webhooksOff: (count: string) => `Turned off because their receivers failed for days: ${count}`,
    webhooksAdvice:
      "See under Webhooks what the receivers answer, and turn them on again once they work.",
    jobsAdvice: "See under Import and export, and cancel what hangs.",
  },
  clock: {
    good: "It goes steadily.",
    jumped:
      "It was set lately, or the site was off: scheduled publishing waits until it has been steady for ten minutes.",
    behind: (when: string) => `It is behind: the site has already seen ${when}.`,
    synchronise: "Let the machine take its time from the network (timedatectl set-ntp true).",
  },
  files: {
    good: "Only the service can read the data folder.",
    open: (names: string) => `Other users of the machine can read: ${names}`,
    close:
      "Start the server once as the owner of the folder, which closes it, or run chmod -R go= on it.",
  },
  version: {
    runs: (program: string, node: string) => `Commonplace ${program} on Node ${node}`,
  },
};

export type HealthTexts = typeof HEALTH_ENGLISH;
