/** English texts of the health report, both for screens and for mails, commands and the log. */
export const ENGLISH_HEALTH_TEXTS = {
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
  unknown: "This cannot be checked at the moment.",
  server: {
    ready: (answer: string) => `It runs and answers: ${answer}`,
    stopped: "Nothing answers at HOST and PORT.",
    start: "Start the server, or give this command the settings that the server has.",
    refuses: (answer: string) => `It runs but serves no visitors: ${answer}`,
    seeLog: "If this lasts for minutes, read the log of the server.",
  },
  disk: {
    gone: "The data folder cannot be found.",
    mount: "Put it back or mount its volume, then start the server again.",
    free: (free: string, total: string) =>
      `${free} of ${total} is free on the disk of the data folder.`,
    clear:
      "Make room or enlarge the disk: without room nothing can be saved, and a backup or a restore needs as much as the site has.",
    freeFiles: (count: string) =>
      `The file system of the data folder has room for ${count} more files (free inodes).`,
    removeFiles:
      "Find out what fills it with small files, with “df -i” and “du --inodes”, and delete what nothing needs: without free inodes nothing can be saved, however much space is free.",
  },
  backup: {
    elsewhere: "The record is in PostgreSQL, whose own tools make and monitor its backups.",
    none: "No backup has been made.",
    empty: (places: string) => `There is no backup in ${places} yet.`,
    made: (when: string, place: string) => `The last backup was made on ${when}: ${place}`,
    failed: (when: string, fault: string) => `The backup of ${when} failed: ${fault}.`,
    make: "Set BACKUP_AT and BACKUP_TO, so that the server makes one every day, on another machine if possible.",
    due: "The server makes one every day while it runs: check that it runs, and read its log.",
    retried:
      "Fix the cause named there. The server tries again every hour; “commonplace backup” tries at once.",
    retry: "Fix the cause named there, then run “commonplace backup”.",
  },
  certificate: {
    local: "The site is only reachable from this machine, and needs none.",
    plain: "PUBLIC_URL begins with http://: what visitors and editors send can be read on the way.",
    setUp: "Put a proxy with TLS in front, and set PUBLIC_URL to its https:// address.",
    unread: (fault: string) => `The certificate could not be read from here: ${fault}`,
    lookYourself:
      "Open the site from another machine. If it opens there, only this machine cannot reach its public address.",
    refused: (fault: string) => `Browsers refuse the certificate of the site: ${fault}`,
    until: (when: string) => `The certificate of the public address expires on ${when}.`,
    renew: "Read the log of the proxy that renews it: renewal has failed.",
  },
  record: {
    good: "It responds, and no damage is known.",
    damaged: "Stored content is damaged: some of it cannot be shown or changed.",
    restore:
      "Copy the data folder, then restore the latest backup in which “commonplace verify” finds no damage.",
    reach: "Start the database, or fix the cause named above.",
  },
  copies: {
    good: "It is up to date.",
    unread: "It is missing here or must be rebuilt, which the server does before it is ready.",
    damaged: "It is damaged and is being rebuilt from the record.",
    disk: "If this returns, the disk is failing: replace it.",
    behind: (seconds: string) => `Visitors see the site as it was ${seconds} seconds ago.`,
    reach: "Check that this machine reaches the database, and that the database is not overloaded.",
  },
  queues: {
    empty: "Nothing is waiting.",
    waiting: (count: string, since: string) => `Waiting: ${count}, the oldest since ${since}.`,
    mailGivenUp: "A mail was given up in the last week, after all attempts failed.",
    mailAdvice: "Look for “Could not send a mail” in the log, and check SMTP_URL and MAIL_FROM.",
    webhooksOff: (count: string) => `Turned off because their receivers failed for days: ${count}`,
    webhooksAdvice:
      "Look under Webhooks for what the receivers answer, and turn them on again once they work.",
    jobsAdvice: "Look under Import and export, and cancel what hangs.",
  },
  clock: {
    good: "It is steady.",
    jumped:
      "It was set recently, or the site was off: scheduled publishing waits until it has been steady for ten minutes.",
    behind: (when: string) => `It is behind: the site has already seen ${when}.`,
    synchronise: "Let the machine take its time from the network (timedatectl set-ntp true).",
  },
  files: {
    good: "Only the service can read the data folder.",
    open: (names: string) => `Other users of the machine can read: ${names}`,
    close:
      "Start the server once as the owner of the folder, which makes it private, or run chmod -R go= on it.",
  },
  version: {
    runs: (program: string, node: string) => `Commonplace ${program} on Node ${node}`,
    ends: (program: string, node: string, day: string) =>
      `Commonplace ${program} on Node ${node}, whose line gets security updates until ${day} only`,
    renew: "Start it with a later line of Node, which the latest version of Commonplace brings.",
  },
};

export type HealthTexts = typeof ENGLISH_HEALTH_TEXTS;
