import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AdmissionControl } from "../../src/http/socket/admission.ts";

const ORDINARY_MILLISECONDS = 2;
const COSTLY_MILLISECONDS = 90;

describe("a queue behind one costly request", () => {
  it("is not taken for overload", async (context) => {
    let clock = 0;
    context.mock.method(performance, "now", () => clock);
    const admission = new AdmissionControl();
    const refuse = mock.fn();
    let clients = 0;
    let started = 0;
    const arrive = (count: number, costs = ORDINARY_MILLISECONDS, afterwards = () => {}) => {
      for (let number = 0; number < count; number += 1) {
        const begin = () => {
          clock += costs;
          started += 1;
          afterwards();
        };
        clients += 1;
        admission.wait(`192.0.2.${clients}`, { begin, refuse });
      }
    };

    arrive(30);
    arrive(1, COSTLY_MILLISECONDS);
    arrive(1, ORDINARY_MILLISECONDS, () => arrive(100));
    while (started < 132 && clock < 1000 && refuse.mock.callCount() === 0) await nextTurn();

    assert.equal(refuse.mock.callCount(), 0);
    assert.equal(started, 132);
  });
});
