// Words that carry a conversation on and state nothing by themselves, as data.

const WORDS = `
a about absolutely actually after again agree agreed ah ahead all almost already alright also always am amazing an and any anything anyway
apologies appreciate appreciated are as asap ask asked asking at attached attachment awesome back bad be because been before best better
beyond bit both bother brilliant bump bumping but by bye can cannot case cause certainly chat check checked cheers clarified clarify clear
clearly closed closing comment comments completely confirm confirmed confused confusing cool correct could course cute damn date day days
dear definitely delay did discuss discussed do does done don't doubt down easy either else end enough even ever every everything exactly
excellent explain explained explains explanation fair fantastic far fast feel feels few figured file find fine finally fine first fix fixed following follow
for forward found from fun funny further gave get getting give given glad go going gone good got gotcha great greetings guess guys ha haha
had hand hang happen happened happy hard has have haven't having he hear hearing heard hello help helped helpful helps here here's hey hi hm hmm hold
hope hoping how however hurry huge i idea if imagine in indeed info information interesting into is isn't issue issues it its it's just keep keeping kidding
kind kindly knew know known last late later laugh least leave lemme let let's lets like line link listen little lol lmao long look looking looks lot lots
love lovely luck made make makes many matter may maybe me mean means meant mention mentioned message messages might mind minute minutes missed missing
mistake misunderstood moment more most much my need needed needs neither never news next nice no nobody nope not note noted nothing now of off oh ok okay
omg on once one only oops open or other our out over own pardon patience patient perfect perhaps ping please pls point pointed possible previous probably problem
problems prompt proceed put question questions quick quickly quite ran rather re read ready real really reason receive received regarding regards remember repeat
replied reply request response right rofl said same saw say saying says screenshot second see seem seems seen send sense sent serious seriously she shall short
should shouldn't show side similar simply since sincerely so solved some something somehow soon sorry sort sound sounds spot stand start still stop story stuff
such super suppose sure surely surprised surprising take taking talk talked talking tell thank thanks that that's the their them then there there's these they
thing things think thinking this those though thought thread through thx time tip to today together told tomorrow too took topic totally touch tough tried true truly try
trying turn two typo ugh uh um understand understandable understood unfortunately until up update updates upon us use useful user usual very wait waiting
want wanted was wasn't way we week weird welcome well were what whatever when where whether which while who whole why will wish with without won't wonder wonderful
wondering word words work worked working works worries worry worth would wow write wrong wrote yay yeah yep yes yesterday yet yikes you you're your yours yourself scroll hahaha brb k thx ty np cu cya advise advice advance comment ages colleague colleagues team everyone someone anyone somebody forwarding handled pass passed above below earlier stated user asks assistant
`;
const FILLER = new Set(WORDS.trim().split(/\s+/));
const JOKES = /\b(?:just|only|was|am|i'm) (?:kidding|joking|teasing)\b|\bjk\b|^just a joke\b/i;

/** Whether a text consists of such words alone: "Perfect, that solved it, thank you so much". */
export function isFiller(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}'+-]+/gu) ?? [];
  return words.every(word => word === "+1" || FILLER.has(word) || FILLER.has(word.replace(/'(?:s|m|re|ve|ll|d)$/, "")));
}

/** Whether the speaker takes back what the sentence says. */
export const isJoke = (text: string): boolean => JOKES.test(text);
