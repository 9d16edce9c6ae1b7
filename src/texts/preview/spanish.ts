import type { SiteTexts } from "../site/english.ts";

export const SPANISH_PREVIEW: SiteTexts["preview"] = {
  title: "Ver un borrador",
  enterCode: "Introduzca su código",
  code: "Código",
  codeHint: "Empieza por cplc_ y se lo dio la redacción.",
  show: "Mostrar el borrador",
  intro:
    "Alguien que escribe para este sitio quiere mostrarle una página antes de que sea pública. Introduzca el código que le dio. Puede volver e introducirlo de nuevo hasta que caduque. Por favor, no lo comparta.",
  codeMissing: "Introduzca su código",
  codeWrong: "Este código no es válido, ha caducado o el borrador ya no existe",
  incomplete:
    "El borrador aún no se puede mostrar porque le falta algo. Pregunte a quien le dio el código",
};
