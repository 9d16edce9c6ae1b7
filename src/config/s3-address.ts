/** A bucket and a key prefix. The prefix is empty or ends with `/`. */
export interface S3Location {
  bucket: string;
  prefix: string;
}

/** Allows only characters that need no encoding in a URL or a signature. */
const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

export const S3_URI_ERROR =
  "give s3://BUCKET or s3://BUCKET/PREFIX, of letters, digits, -, _ and .";

export function isS3Uri(address: string): boolean {
  return address.startsWith("s3:");
}

/** Returns null for a malformed address. */
export function parseS3Uri(address: string): S3Location | null {
  const [, bucket, path] = S3_ADDRESS.exec(address) ?? [];
  if (bucket === undefined || path === undefined || /\/\.\.?(?:\/|$)/.test(path)) return null;
  return { bucket, prefix: path === "" ? "" : `${path.slice(1)}/` };
}
