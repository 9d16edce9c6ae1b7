import { writeFileSync } from "node:fs";
import { ViewCounter } from "../../src/access/views.ts";

/**
 * Imported before the service. Turns the counting of views on and off in short slices, so that both are
 * measured on the same machine at nearly the same time. Then counts the addresses of the load again, because
 * counting takes too little time to show between slices. On SIGUSR2, writes the results to VIEWS_FILE.
 */
const SLICE_MILLISECONDS = 50;
const ADDRESSES = 10_000;
const REPEATS = 100;
const { note, save } = ViewCounter.prototype;
const FILE = process.env["VIEWS_FILE"] ?? "";

let isCounting = true;
let noted = 0;
let last = 0;
let addresses: string[] = [];
let begun = process.threadCpuUsage();
/** CPU microseconds per request in each slice. */
let slices: { isCounting: boolean; microseconds: number }[] = [];
/** CPU microseconds of each save during which there were no requests. */
let saves: number[] = [];

ViewCounter.prototype.note = function noteIfOn(address, now) {
  noted += 1;
  last = (last + 1) % ADDRESSES;
  addresses[last] = address;
  if (isCounting) note.call(this, address, now);
};
ViewCounter.prototype.save = async function measuredSave(store) {
  const before = { noted, cpu: process.threadCpuUsage() };
  await save.call(this, store);
  const taken = microsecondsSince(before.cpu);
  if (noted === before.noted) saves.push(taken);
};
setInterval(() => {
  const microseconds = microsecondsSince(begun) / noted;
  if (noted > 0) slices.push({ isCounting, microseconds });
  isCounting = !isCounting;
  noted = 0;
  begun = process.threadCpuUsage();
}, SLICE_MILLISECONDS).unref();
process.on("SIGUSR2", () => {
  writeFileSync(FILE, JSON.stringify({ slices, saves, note: noteMicroseconds() }));
  slices = [];
  addresses = [];
  saves = [];
});

function noteMicroseconds(): number {
  const counter = new ViewCounter();
  const now = new Date();
  const seen = addresses.filter((address) => address !== undefined);
  const start = process.threadCpuUsage();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const address of seen) note.call(counter, address, now);
  }
  return microsecondsSince(start) / (REPEATS * seen.length);
}

function microsecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
