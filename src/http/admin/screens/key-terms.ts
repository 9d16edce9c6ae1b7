import { AppError } from "../../../errors.ts";

/** The end of a day that a form states, in UTC; null: none is stated. @throws {AppError} `invalid`. */
export function endOfDay(day: string): string | null {
  if (day === "") return null;
  const end = new Date(`${day}T23:59:59Z`);
  if (!Number.isNaN(end.getTime())) return end.toISOString();
  throw new AppError("invalid", `"${day}" is no day, as 2027-12-31`);
}
