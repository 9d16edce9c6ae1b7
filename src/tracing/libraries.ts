import { AppError, englishOnlyWording } from "../errors.ts";

export interface TracingLibraries {
  api: typeof import("@opentelemetry/api");
  sdk: typeof import("@opentelemetry/sdk-trace");
  resources: typeof import("@opentelemetry/resources");
  exporting: typeof import("@opentelemetry/exporter-trace-otlp-http");
}

/** The optional packages, in the form that `npm install` takes. */
export const TRACING_PACKAGES: readonly string[] = [
  "@opentelemetry/api@^1.10.0",
  "@opentelemetry/exporter-trace-otlp-http@^0.301.0",
  "@opentelemetry/resources@^3.1.0",
  "@opentelemetry/sdk-trace@^3.1.0",
];

/** @throws {AppError} `unavailable` when a package is not installed. */
export async function loadTracingLibraries(): Promise<TracingLibraries> {
  try {
    const [api, sdk, resources, exporting] = await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/exporter-trace-otlp-http"),
    ]);
    return { api, sdk, resources, exporting };
  } catch (error) {
    const line = `npm install ${TRACING_PACKAGES.join(" ")}`;
    const message = `Cannot send traces to OTEL_EXPORTER_OTLP_ENDPOINT: packages for it are not installed. Unset it, or run "${line}" where docs/operating.md says`;
    throw new AppError("unavailable", englishOnlyWording(message), { cause: error });
  }
}
