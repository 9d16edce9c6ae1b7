/** A bucket and a key prefix, which is empty or ends with `/`. */
export interface S3Location {
  bucket: string;
  prefix: string;
}

/** Only characters that need no encoding in an address or a signature. */
const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

export const S3_ADDRESS_FAULT =
  "give s3://BUCKET or s3://BUCKET/PREFIX, of letters, digits, -, _ and .";

export function isS3Address(named: string): boolean {
  return named.startsWith("s3:");
}

/** Null: malformed. */
export function readS3Address(named: string): S3Location | null {
  const [, bucket, path] = S3_ADDRESS.exec(named) ?? [];
  if (bucket === undefined || path === undefined || /\/\.\.?(?:\/|$)/.test(path)) return null;
  return { bucket, prefix: path === "" ? "" : `${path.slice(1)}/` };
}
