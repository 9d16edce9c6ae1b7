import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeNewPasswordError } from "../../../src/access/people/password-rules.ts";
import {
  hashNewPassword,
  isCorrectPassword,
  NO_PASSWORD,
} from "../../../src/access/people/passwords.ts";
import { AppError } from "../../../src/errors.ts";

const ABOUT = ["ada.lovelace@analytical.example", "Ada Lovelace"];
const WORDS = "a few words in a row";

describe("a new password", () => {
  it("is refused when it is short, common, or says who somebody is", async () => {
    const cases: [fault: RegExp, passwords: string[]][] = [
      [/^must have at least 12 characters/, ["short", "eleven char", "👩‍👩‍👧"]],
      [/^is longer than 200 characters/, ["long words ".repeat(20)]],
      [/^is too easy to guess$/, ["abababababab", "aaaaaaaaaaaaaaaa"]],
      [
        /nothing but digits/,
        ["123456789012", "2026-11-22 12:00".replace(":", ""), "0171 234567 89"],
      ],
      [
        /common password with additions/,
        [
          "passwordpassword",
          "Password123456",
          "P@ssw0rd!!!!",
          "qwertyuiop123",
          "summer2024!!",
          "!!!letmein!!!",
          "iloveyouiloveyou",
          "1q2w3e4r5t6y",
          "dragon-dragon",
        ],
      ],
      [
        /your name or address/,
        ["AdaLovelace1", "lovelace.1815", "analytical2026!", "Ada Lovelace Ada"],
      ],
    ];
    for (const [fault, passwords] of cases) {
      for (const password of passwords) {
        assert.match(
          (await describeNewPasswordError(password, ABOUT))?.en ?? "accepted",
          fault,
          password,
        );
      }
    }
  });

  it("is taken when it is neither, whatever it is made of", async () => {
    const good = [
      WORDS,
      "correct horse battery staple",
      "x7Kq!9pLm2#z",
      "8#4$2@9!7&1?",
      "Café am See, 12 Uhr",
      "дом у тихой реки",
      "山の上の小さな家に住む犬",
      "lovelace likes engines",
    ];
    for (const password of good)
      assert.equal(await describeNewPasswordError(password, ABOUT), null, password);
  });
});

describe("a stored password", () => {
  it("is Argon2id with a salt of its own, whatever keyboard typed it", async () => {
    const composed = "Caf\u00e9 am See, 12 Uhr";
    const [one, two] = [await hashNewPassword(composed, []), await hashNewPassword(composed, [])];
    assert.match(
      one.phc,
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    assert.notEqual(one.phc, two.phc);
    assert.equal(await isCorrectPassword(composed, one), true);
    assert.equal(await isCorrectPassword(composed.normalize("NFD"), one), true);
    assert.equal(await isCorrectPassword(`${composed} `, one), false);
    const forged = one.phc.replace(/.$/, one.phc.endsWith("A") ? "E" : "A");
    assert.equal(await isCorrectPassword(composed, { phc: forged }), false);
    for (const phc of ["", "x", "$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA"]) {
      assert.equal(await isCorrectPassword(composed, { phc }), false, phc);
    }
    assert.equal(await isCorrectPassword("", NO_PASSWORD), false);
  });
});

it("two are hashed at once, forty wait, and others are told to come back", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, () => isCorrectPassword(WORDS, null)),
  );
  const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  assert.equal(refused.length, 8);
  for (const error of refused) {
    assert(error instanceof AppError);
    assert.deepEqual([error.code, error.retryAfterSeconds], ["unavailable", 5]);
  }
  assert.equal(await isCorrectPassword(WORDS, null), false, "then it goes on");
});
