/** Makes a costly text of about this many characters. */
export type CostlyText = (characters: number) => string;

/** Repeats a piece. */
export function repeated(piece: string): CostlyText {
  return (characters) => piece.repeat(Math.max(1, Math.floor(characters / piece.length)));
}

/** Concatenates pieces that are made from their numbers. */
export function numbered(pieceAt: (number: number) => string): CostlyText {
  return (characters) => {
    const pieces: string[] = [];
    for (let number = 0, length = 0; length < characters; number += 1) {
      const piece = pieceAt(number);
      pieces.push(piece);
      length += piece.length;
    }
    return pieces.join("");
  };
}

/** Repeats one piece in the first half of the text and another in the second. */
export function halves(first: string, second: string): CostlyText {
  return (characters) => repeated(first)(characters / 2) + repeated(second)(characters / 2);
}

/** Repeats a piece between a start and an end. */
export function within(start: string, piece: string, end = ""): CostlyText {
  return (characters) => start + repeated(piece)(characters) + end;
}
