import fc from "fast-check";

/** Uses a fixed seed for properties, so that failures depend on changes and not on chance. */
fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });
