/**
 * Files that every instance reaches, kept in PostgreSQL. Names are paths with one folder, as
 * `media/480ac039362a15a7738ba76dffe807fd.jpg`.
 */
export interface SharedFiles {
  /**
   * Takes bytes in without a name; dispose of the result in any case. Of what breaks off, nothing is
   * left.
   */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<SharedUpload>;
  /** Null: there is none. */
  find(name: string): Promise<SharedFile | null>;
  remove(name: string): Promise<void>;
  /** Instead of the same file that has the new name. @returns false: there is none to rename. */
  rename(name: string, to: string): Promise<boolean>;
  /** What is in a folder, in the order of names. */
  list(folder: string): Promise<{ name: string; keptAt: Date }[]>;
  /** Removes what was received and, an hour later, neither kept nor disposed of. */
  clearReceived(now: Date): Promise<void>;
  /** Changes whenever a file comes or goes. */
  version(): Promise<number>;
}

export interface SharedFile {
  bytes: number;
  /** From the first to the last, a piece of a megabyte at a time. @throws {AppError} `not_found` when
   * the file is removed meanwhile. */
  pieces(): AsyncIterable<Uint8Array>;
}

export interface SharedUpload extends AsyncDisposable {
  /** Gives it a name, in place of what had that name. */
  keep(name: string): Promise<void>;
}
