/**
 * Rooms and files whose messages may be in English only, because no administrator's screen shows them. Each
 * value says who reads them. Everything else has messages in every language of the screens (`Wording` in
 * `src/errors.ts`).
 */
export const ENGLISH_ONLY: Readonly<Record<string, string>> = {
  "src/cli": "the operator, at the command line",
  "src/app": "the operator, when the service starts or a command runs",
  "src/config.ts": "the operator, when the service starts",
  "src/config": "the operator, when the service starts",
  "src/tracing": "the operator, when the service starts",
  "src/workers": "the operator, when the service starts",
  "src/static": "the operator, who writes the site as files",
  "src/syncing": "the operator, who keeps a folder and the site equal",
  "src/files": "the operator, about files of the server",
  "src/storage/backup/packed": "the operator, who restores packed backups",
  "src/storage/backup/restore-backup.ts": "the operator, at restores",
  "src/storage/backup/restore-journal.ts": "the operator, at restores",
  "src/storage/moving": "the operator, who moves a site to another database",
  "src/storage/replica": "the operator, about the copy of an instance",
  "src/storage/folder-lock.ts": "the operator, when the service starts",
  "src/storage/sqlite": "the operator, about files that cannot be opened",
  "src/storage/record/known-migrations.ts": "the operator, when the record is opened",
  "src/storage/record/sqlite": "the operator, when the record is opened",
  "src/storage/record/postgres": "the operator, when the record is opened",
  "src/storage/record/access": "programs with a key, while the database is away",
  "src/transfer/fetching": "the operator, who copies a former site",
  "src/http/api": "programs that use the API",
  "src/http/metrics.ts": "programs that read the metrics",
  "src/http/wrong-key-throttle.ts": "programs with a wrong key",
  "src/http/site": "visitors, who have forms of their own with texts in seven languages",
  "src/mcp": "agents",
  "src/work/work-limit.ts": "visitors, under overload",
  "src/content/addresses/find-item.ts": "agents, who look for items",
  "src/content/lists": "agents and visitors, who list what is public",
  "src/content/types": "whoever declares types of a site, in files",
  "src/content/import/front-matter.ts": "authors, of YAML faults as the library words them",
  "src/content/import/posts/post-type.ts": "the operator, at the command line",
  "src/content/import/wordpress/post-outcomes.ts": "authors, of names of types in WordPress",
  "src/importing/import-files.ts": "the operator, who names a path that does not exist",
  "src/content/desk": "programs that list content; screens offer only what there is",
  "src/content/editing/desk.ts": "programs that list content; screens offer only what there is",
  "src/content/editing/bulk.ts": "programs that send items in bulk",
  "src/content/drafts/parts.ts": "programs that name fields which there are not",
  "src/content/items/item-patch.ts": "programs that state what cannot be stated",
  "src/content/site/settings.ts": "programs that name settings which there are not",
  "src/content/site/site-saving.ts": "whoever declares types of a site, in files",
  "src/content/media/media-editing.ts": "programs that list files of a type",
  "src/access/idempotent-responses.ts": "programs that use the API",
  "src/access/keys": "programs with a key, and who limits keys to tools",
  "src/access/submissions": "visitors, whose forms have texts of their own",
  "src/access/days.ts": "programs that ask for a period",
  "src/access/audit.ts": "programs that ask for a period",
};

/** Whether a file may have messages in English only. */
export function mayBeEnglishOnly(file: string): boolean {
  return Object.keys(ENGLISH_ONLY).some((place) => file === place || file.startsWith(`${place}/`));
}
