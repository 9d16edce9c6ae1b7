/** Beginning of the names of folders in the data folder in which backups are packed and unpacked. */
export const WORK_PREFIX = ".commonplace-backup-work-";
