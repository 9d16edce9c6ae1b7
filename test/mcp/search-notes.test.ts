import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

describe("an answer of search_content", () => {
  it("says how it corrected the query, and the way back to what was typed", async () => {
    const corrected = await service.call("search_content", { query: "couragge" });
    assert.equal(corrected.did_you_mean, "courage");
    assert.equal(corrected.as_typed, "call again with verbatim true");
    const typed = await service.call("search_content", { query: "couragge", verbatim: true });
    assert.equal(typed.did_you_mean, undefined);
    assert.equal(typed.total, 0);
  });

  it("says first that nothing comes close", async () => {
    const query = "the old ferryman painted his lighthouse in the colour of time";
    const answer = await service.call("search_content", { query });
    assert(answer.total > 0);
    assert.equal(Object.keys(answer)[0], "closeness");
    assert.match(answer.closeness, /nothing matches closely; the nearest follow/);
    const close = await service.call("search_content", { query: "Epictetus" });
    assert.equal(close.closeness, undefined);
  });

  it("says what to try if nothing matches", async () => {
    const query = { query: "Freundschaftsbeweis", verbatim: true };
    const { closeness } = await service.call("search_content", query);
    assert.match(
      closeness,
      /^nothing matches: try other words, in a language of the content \(en, /,
    );
    const narrowed = { ...query, types: ["work"] };
    const fewer = await service.call("search_content", narrowed);
    assert.match(fewer.closeness, /, or fewer filters$/);
  });

  it("counts the matches of each type", async () => {
    const { by_type, total } = await service.call("search_content", { query: "time courage" });
    const sum = Object.values(by_type).reduce((all: number, count) => all + Number(count), 0);
    assert.equal(sum, total);
  });
});
