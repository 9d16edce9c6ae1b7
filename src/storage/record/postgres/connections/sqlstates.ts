/**
 * Meaning of a database error. `away`: unreachable, or the connection is lost. `disorder`: reachable, but
 * unusable until the operator acts. `bug`: an error in this program.
 */
export type DatabaseErrorKind =
  | "away"
  | "disorder"
  | "full"
  | "locked"
  | "cancelled"
  | "conflict"
  | "unknown outcome"
  | "bug";

/**
 * The kinds of faults that the operator or another session causes, keyed by SQLSTATE class or code
 * (PostgreSQL manual, Appendix A). A code takes precedence over its class. A class that is not listed means
 * `bug`.
 */
const FAULTS_BY_SQLSTATE: Readonly<Record<string, DatabaseErrorKind>> = {
  // Connection exception
  "08": "away",
  // Feature not supported: a cached plan no longer fits its tables, or a pooler lacks a feature. A
  // new connection may help.
  "0A000": "disorder",
  "0L": "disorder",
  "0P": "disorder",
  "25006": "away",
  "25P03": "away",
  "25P04": "away",
  // Invalid SQL statement name: a pooler switched sessions, so the prepared statement does not exist
  "26": "disorder",
  // Invalid authorization
  "28": "away",
  "3D": "away",
  "3F": "disorder",
  "40": "conflict",
  "40003": "unknown outcome",
  "42501": "disorder",
  "42P05": "disorder",
  // Dropped column, type, function or table
  "42703": "disorder",
  "42704": "disorder",
  "42883": "disorder",
  "42P01": "disorder",
  // Insufficient resources
  "53": "disorder",
  "53100": "full",
  "53300": "away",
  // Program limits. PostgreSQL also refuses writes with 54000 when transaction ids are running out.
  "54": "disorder",
  // Object not in prerequisite state
  "55": "disorder",
  "55P03": "locked",
  // Operator intervention
  "57": "away",
  "57014": "cancelled",
  // System error, such as a disk error
  "58": "disorder",
  // Snapshot too old
  "72": "conflict",
  // Configuration file
  F0: "disorder",
  // Internal error, damaged data or index
  XX: "disorder",
};

export function errorKindOfSqlstate(code: string): DatabaseErrorKind {
  if (!/^[0-9A-Z]{5}$/.test(code)) return "bug";
  return FAULTS_BY_SQLSTATE[code] ?? FAULTS_BY_SQLSTATE[code.slice(0, 2)] ?? "bug";
}
