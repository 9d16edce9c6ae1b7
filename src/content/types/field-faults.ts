import { englishOnlyWording, type Wording } from "../../errors.ts";

interface DeclaredField {
  kind: string;
  values?: readonly string[] | undefined;
  cautions?: readonly string[] | undefined;
  sort?: boolean | undefined;
  position?: boolean | undefined;
}

/** The settings of a declared field that conflict with its kind or values, each with the reason. */
export function findFieldDeclarationProblems(
  field: DeclaredField,
): [setting: string, wording: Wording][] {
  const { kind, values, cautions, sort, position } = field;
  const faults: [setting: string, wording: Wording][] = [];
  if ((kind === "enum") !== (values !== undefined)) {
    const wording = {
      en: "values belong to an enum field, and an enum field needs them",
      de: "Werte gehören zu einer Auswahl, und eine Auswahl braucht welche",
    };
    faults.push(["values", wording]);
  }
  const stray = cautions?.find((caution) => values?.includes(caution) !== true);
  if (stray !== undefined) {
    faults.push(["cautions", englishOnlyWording(`"${stray}" is none of the values of the field`)]);
  }
  if (kind === "text_list" && sort === true) {
    faults.push(["sort", englishOnlyWording("lists can be ordered by fields with one value only")]);
  }
  if (kind !== "integer" && position === true) {
    faults.push(["position", englishOnlyWording("only an integer can be a position")]);
  }
  return faults;
}
