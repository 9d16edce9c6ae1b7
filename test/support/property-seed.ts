import fc from "fast-check";

/** Properties are tried from one seed, so that a change decides whether they hold, and not chance. */
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });
