// Words that carry a conversation on and state nothing by themselves, as data.
import { COMMON_WORDS } from "./common-words.ts";

const WORDS = `
absolutely agree agreed ah ahead all almost alright amazing an anyway apologies appreciate appreciated asap ask
asked asking attached attachment awesome bad better beyond both bother brilliant bump bumping bye cannot case cause
certainly chat check checked cheers clarified clarify clear clearly closed closing comment comments completely
confirm confirmed confused confusing cool correct course cute damn dear definitely delay discuss discussed don't
doubt easy either else enough even exactly excellent explain explained explains explanation fair fantastic far fast
feel feels few figured file find fine fix fixed following follow forward found fun funny further getting glad gotcha
great greetings guess guys ha haha hand hang happen happened happy hard haven't having hear hearing heard help
helped helpful helps here's hey hi hm hmm hold hope hoping how however hurry idea imagine indeed info information
interesting isn't issue issues its it's keeping kidding kind kindly knew know known later laugh least leave lemme
let's line link listen lol lmao long look looking looks lots love luck many matter may maybe mean means meant
mention mentioned message messages might mind minutes missed missing mistake misunderstood moment most much my need
needed needs neither news nobody nope note noted nothing oh ok okay omg once oops open other our pardon patience
patient perfect perhaps ping pls point pointed possible probably problem problems prompt proceed question questions
quick quickly ran rather re read ready real reason receive received regarding regards remember repeat replied reply
request response right rofl saw saying screenshot second seem seems seen send sense sent serious seriously short
should shouldn't show side similar simply sincerely solved some somehow soon sorry sort sound sounds spot stand
super suppose sure surely surprised surprising talk talked talking tell thank thanks that's the their then there's
things think thinking this those thought thread thx tip together told topic totally touch tough tried true truly try
trying turn two typo ugh uh um understand understandable understood unfortunately update updates upon useful wait
waiting want wanted wasn't weird welcome well whatever whether why wish without won't wonder wonderful wondering
word words work worked working works worries worry worth wow write wrong wrote yay yeah yep yikes you're your yours
yourself scroll hahaha brb k ty np cu cya advise advice advance ages everyone someone anyone somebody forwarding
handled pass passed above below earlier stated asks assistant
`;
/** Words that state something in some sentences only: "my team is great", but not "thanks, team". */
const MATTERS = ["team", "colleague", "colleagues", "date", "story"];
const FILLER = new Set([...COMMON_WORDS, ...WORDS.trim().split(/\s+/), ...MATTERS]);
const OF_SPEAKER = /^(?:i|we|my|our)\b/;
/** What the speaker will do or say about this conversation: "I will ask my team", "I discussed this with a colleague". */
const OF_TALK =
  /\b(?:this|that|it|you|your|to|will|can|could|should|may|might|let)\b|'ll\b|\b(?:ask|tell|told|talk|say|said|check|confirm|discuss|mention|explain|repl|show|send|sent|hear|wait|thank)/;
/** Whether the speaker says something of such a matter: "I have two colleagues". */
const statesMatter = (lower: string, words: readonly string[]): boolean =>
  OF_SPEAKER.test(lower) && !OF_TALK.test(lower) && words.some(word => MATTERS.includes(word));

const JOKES = /\b(?:just|only|was|am|i'm) (?:kidding|joking|teasing)\b|\bjk\b|^just a joke\b/i;

/** Whether a text consists of such words alone: "Perfect, that solved it, thank you so much". */
export function isFiller(text: string): boolean {
  const lower = text.toLowerCase().replaceAll("’", "'");
  const words = lower.match(/[\p{L}\p{N}'+-]+/gu) ?? [];
  const isKnown = (word: string) =>
    word === "+1" || FILLER.has(word) || FILLER.has(word.replace(/'(?:s|m|re|ve|ll|d)$/, ""));
  return words.every(isKnown) && !statesMatter(lower, words);
}

/** Whether the speaker takes back what the sentence says. */
export const isJoke = (text: string): boolean => JOKES.test(text);
