/**
 * Files in PostgreSQL, shared by all instances. Names are paths with one folder, such as
 * `media/480ac039362a15a7738ba76dffe807fd.jpg`.
 */
export interface SharedFiles {
  /**
   * Receives an upload, which has no name until `keep` is called. Always dispose of the result. An
   * aborted upload leaves nothing behind.
   */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<SharedUpload>;
  /** @returns null if no file has this name. */
  find(name: string): Promise<SharedFile | null>;
  remove(name: string): Promise<void>;
  /**
   * Renames a file. If another file has the new name, keeps that file and removes the file to
   * rename.
   *
   * @returns false if there is no file to rename.
   */
  rename(name: string, to: string): Promise<boolean>;
  /** The files in a folder, by name. */
  list(folder: string): Promise<{ name: string; storedAt: Date }[]>;
  /** Removes uploads that are an hour old and were neither kept nor disposed of. */
  removeAbandonedUploads(now: Date): Promise<void>;
  /** Changes whenever a file is added or removed. */
  version(): Promise<number>;
}

export interface SharedFile {
  bytes: number;
  /**
   * The content in pieces of a megabyte.
   * @throws {AppError} `not_found` when the file is removed while reading.
   */
  pieces(): AsyncIterable<Uint8Array>;
}

export interface SharedUpload extends AsyncDisposable {
  /** Names the upload, replacing any file of that name. */
  keep(name: string): Promise<void>;
}
