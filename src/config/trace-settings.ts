import { z } from "zod";

/** Values of `OTEL_TRACES_SAMPLER` that OpenTelemetry defines. */
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export interface TraceSettings {
  sampler: (typeof SAMPLERS)[number];
  /** Share of traces to record, from 0 to 1, for the two ratio samplers. */
  ratio: number;
}

/**
 * Settings of OpenTelemetry. Its libraries read the address, headers and names from the environment
 * themselves. The check here reports a wrong value at startup.
 */
export const traceSettingSchemas = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: "use an absolute http(s) address, as http://127.0.0.1:4318",
    })
    .exactOptional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^\s*[\w.!#$%&'*+^`|~-]+\s*=[^,]*(?:,\s*[\w.!#$%&'*+^`|~-]+\s*=[^,]*)*$/, {
      error: "use name=value, with commas between several",
    })
    .exactOptional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(["http/json"], { error: "leave it out: only http/json is supported" })
    .exactOptional(),
  OTEL_SERVICE_NAME: z.string().exactOptional(),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `use one of ${SAMPLERS.join(", ")}` })
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: "use a share between 0 and 1" })
    .min(0)
    .max(1)
    .default(1),
};

export function traceSettingsFromEnvironment(settings: {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_TRACES_SAMPLER: TraceSettings["sampler"];
  OTEL_TRACES_SAMPLER_ARG: number;
}): TraceSettings | null {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  return { sampler: settings.OTEL_TRACES_SAMPLER, ratio: settings.OTEL_TRACES_SAMPLER_ARG };
}
