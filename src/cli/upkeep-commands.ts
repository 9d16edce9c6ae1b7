import type { Command } from "commander";
import type { ChangeAddressFlags } from "./change-address.ts";
import { parseHttpOrigin, parseHttpUrl } from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";
import type { VerifyFlags } from "./verify.ts";

interface CheckFlags {
  oldAddresses?: string;
  json?: boolean;
}

/** Adds the commands that check a site or change its address. */
export function addUpkeepCommands(
  program: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  program
    .command("verify")
    .description("Look for damage in the store and the site's files, also while the server runs")
    .argument("[backup]", "a backup to look into instead: its folder, file or s3:// address")
    .option("--identity <file>", "the file with the private key, for a backup that is encrypted")
    .option("--json", "print the findings as JSON")
    .action(async (backup: string | undefined, flags: VerifyFlags) => {
      const { runVerifyCommand: verifyCommand } = await import("./verify.ts");
      done(await verifyCommand(backup, flags, context()));
    });

  program
    .command("doctor")
    .description(
      "Check disk, backups, certificate, queues and everything else that keeps the site running",
    )
    .option("--json", "print the findings as JSON")
    .action(async (flags: { json?: boolean }) => {
      const { runDoctorCommand: doctorCommand } = await import("./doctor.ts");
      done(await doctorCommand(flags, context()));
    });

  program
    .command("change-address")
    .description("Rewrite a former address of the site in all texts, fields and settings")
    .argument("<from>", "the former address, as https://old.example", parseHttpOrigin)
    .argument("<to>", "the new one, as https://new.example", parseHttpOrigin)
    .option("--dry-run", "report what would change, change nothing")
    .option("--json", "print the report as JSON")
    .action(async (from: string, to: string, flags: ChangeAddressFlags) => {
      const { runChangeAddressCommand: changeAddressCommand } = await import("./change-address.ts");
      done(await changeAddressCommand({ from, to }, flags, context()));
    });

  program
    .command("check")
    .description("Judge the public surface of a running site")
    .argument("<url>", "the site's public address", parseHttpUrl)
    .option("--old-addresses <file>", "instead, say what each address of a former site answers")
    .option("--json", "print the findings as JSON")
    .action(async (url: URL, { oldAddresses, ...flags }: CheckFlags) => {
      if (oldAddresses === undefined) {
        const { runCheckCommand: checkCommand } = await import("./check.ts");
        done(await checkCommand(url, flags, context()));
      } else {
        const { runCheckOldAddressesCommand: checkOldAddressesCommand } = await import(
          "./check-old-addresses.ts"
        );
        done(await checkOldAddressesCommand(url, oldAddresses, { flags, context: context() }));
      }
    });
}
