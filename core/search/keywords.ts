import { once } from "../once.ts";
import { tokenise } from "./tokenise.ts";

/** Words without a meaning of their own, in the most common languages of users. */
const WORDS = `
a about after all also am an and any are as at be because been before being but by can could did do does doing each for
from had has have having he her here hers him his how i if in into is it its just me more most my no nor not now of off on
once only or other our ours out over own same she should so some such than that the their theirs them then there these
they this those through to too under until up us very was we were what when where which while who whom why will with would
you your yours tell please
aber alle als am an auch auf aus bei bin bis bist da das dass dein dem den der des die dies diese dieser doch dort du durch
ein eine einem einen einer eines er es euer für hat hatte hier ich ihr ihre im in ist ja kann kein keine man mein meine mich
mir mit nach nicht noch nur ob oder ohne sein seine sich sie sind so über um und uns unser unter vom von vor war warum was
wann weil wenn wer werden wie wieder wir wird wo zu zum zur
au aux avec ce ces cette comme dans de des du elle elles en est et eux il ils je la le les leur lui ma mais mes moi mon ne
nos notre nous ont ou où par pas plus pour quand que quel quelle qui quoi sa sans se ses son sont sur ta te tes toi ton tu
un une vos votre vous
al algo como con cual cuando del donde el ella ellas ellos eso esta este esto hay las lo los más mi muy nada o para pero
por porque qué quien sí sin sobre su sus también tiene todo tu una uno unos y ya yo
ao aos com da dos ela ele eles em essa esse eu foi isso isto mas me meu minha não nas no nos num uma os onde pela pelo quem
seu sua são também tem um
alla allo anche che chi ci cosa dalla dei della delle di dove gli ha hanno il io ma nel nella non per perché più quale
quando questa questo sono sua suo tra
aan bij dat deze dit een en geen heb heeft het hij hoe ik is je kan maar met mijn naar niet nog of ook op te uit van voor
waar wat wij zij zijn
`;

const stopWords = once((): ReadonlySet<string> => new Set(tokenise(WORDS)));

/** The most keywords of a question. Later words are ignored. */
export const MAX_KEYWORDS = 16;

/** The keywords of a question: its distinct words without stop words, unless all its words are stop words. */
export function keywordsOf(question: string): string[] {
  const all = [...new Set(tokenise(question))];
  const significant = all.filter(word => !stopWords().has(word));
  return (significant.length > 0 ? significant : all).slice(0, MAX_KEYWORDS);
}

/** The number of keywords that a matching text contains: at least half of them. */
export const requiredMatches = (keywords: number): number => Math.max(1, Math.ceil(keywords / 2));

/** `words` are the words of a text, from `tokenise`. */
export function keywordsMatch(keywords: readonly string[], words: Iterable<string>): boolean {
  if (keywords.length === 0) return false;
  const held = words instanceof Set ? (words as Set<string>) : new Set(words);
  return keywords.filter(word => held.has(word)).length >= requiredMatches(keywords.length);
}
