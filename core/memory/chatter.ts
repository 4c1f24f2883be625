const SPEAKER = "(?:i|i've|we|we've|you|he|she|they|the (?:user|customer|client|speaker|human))";
const TOLD = "(?:said|told you|told|mentioned|noted|stated|wrote|explained|pointed out)";
const BEFORE = "(?:(?:already|before|earlier|above|previously|just|once|yesterday|last time|in my last message)\\s*)*";
/** "As I said before": a phrase that refers to an earlier statement without repeating it. */
const AS_SAID = `(?:as|like) (?:${SPEAKER} )?(?:have |has )?${BEFORE}${TOLD}\\b\\s*(?:you )?${BEFORE}`;
/** The same as a clause whose object is the statement. */
const HAS_SAID = `(?:i|we|i've|we've)(?: have)? (?:already |just |once )(?:${TOLD})(?: you)?(?: that)?|(?:don't|do not|never) forget(?: that)?|(?:please )?(?:bear|keep|have) in mind(?: that)?`;
const CORRECTS =
  "scratch that|correction|(?:no,? )?wait|i misspoke|i was wrong|that (?:was|is|'s) (?:wrong|not right|incorrect)|my mistake|(?:sorry,? )?typo(?: on my (?:side|part|end))?|i meant(?: to say)?(?: that)?|i made a mistake";
const CHANGED =
  "i(?:'ve| have)? changed my mind|(?:(?:some|good|bad|great|sad|happy|big) )*news|change of plans?|(?:quick |small |short )?update";
const EVIDENCE =
  "(?:(?:the|my|a|an) )?(?:[a-z]+ )?(?:tests?|results?|scans?|lab|x-ray|mri|check-?up|biopsy|screening|audit|review) (?:showed|shows|confirmed|confirms|found|revealed|says|said)(?: that)?";
const SOURCE = "according to (?!me\\b)[^,]{1,60}";
const GREETING =
  "hi|hello|hey|good (?:morning|evening|afternoon)|thanks|thank you|ok(?:ay)?|well|so|oh|yes|yeah|yep|no(?! more\\b| longer\\b)|nope|sure|right|great|wow|haha|lol|lmao|rofl|omg|ah|aww?|hmm|btw|by the way|actually|anyway|also|and|but|sorry|edit|fyi|oh dear|oh no|ouch|ugh|phew|yay|hooray|heads[- ]up|quick one|guess what|sadly|unfortunately|regrettably|luckily|fortunately|thankfully|happily|brb|ha|hm|er|um|erm|listen|look|guys|folks|all|everyone|team|dear all|no worries|no problem|never mind|well then|you know";
const REMARK =
  "again|(?:(?:just|quick|friendly|a|small) )*reminder(?: that)?|to repeat|once more|to be (?:clear|precise)|to clarify|in fact|of course|obviously|honestly|frankly|personally|as you (?:(?:may|might|probably|already|surely) )*(?:know|recall|remember)|(?:i want|i'd like|i would like) you to know(?: that)?|it(?:'s| is) true(?: that)?|the (?:fact|thing|truth) is(?: that)?|just so you know|for the record|for your information|to be honest|tbh|note that|(?:please )?remember that|(?:please )?note|(?:please )?remember|it turned out(?: that)?|turns out(?: that)?";
/** Phrases that introduce a statement. */
const LEAD = new RegExp(
  `^(?:(?:${GREETING}|${REMARK}|${AS_SAID}|${HAS_SAID}|${CORRECTS}|${CHANGED}|${EVIDENCE}|${SOURCE})(?:\\s+there)?(?:[,:!.–-]+\\s*|\\s+(?=(?:that )?(?:i|i'm|i've|my|we|our|the|his|her|he|she|they|their)\\b)|\\s*$))+(?:that (?=(?:i|my|we|our)\\b))?`,
  "i",
);
const CORRECTION = new RegExp(`(?:^|[\\s,.])(?:${CORRECTS})\\b`, "i");

const alone = (words: string) => new RegExp(`^(?:${words})[\\s.!,…)]*$`, "iu");

const SAID_ALONE = alone(
  "hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|evening|afternoon|night|day|point|idea|question|luck)|bye(?: for now)?|goodbye|see you.*|" +
    "take care|cheers|thanks?\\b.*|thank you\\b.*|thx.*|many thanks|ok(?:ay)?|sure|yes|yeah|yep|no|nope|maybe|perhaps|exactly|" +
    "right|correct|true|cool|same here|me too|agreed|absolutely|definitely|no way|good for you|(?:my|our) (?:\\w+ )?(?:apologies|thanks|compliments|condolences|regards|pleasure)\\b.{0,40}|(?:best|kind) regards.*|nice|great|awesome|amazing|perfect|wow|lol|rofl|(?:ha)+h?|hmm+|hm|uh|um+|oh|ah|oops|please|sorry\\b.*|" +
    "my bad|no problem|no worries|never ?mind|you'?re welcome|welcome|wait|what|well done|of course|got it|fair enough|indeed|" +
    "(?:that|this|it|which) (?:is|was|'s|sounds|looks|makes|seems|works) .{0,40}|(?:that|it)'s .{0,40}|(?:sounds?|looks?|seems?) (?:good|great|fine|right|perfect|nice|ok|okay|reasonable)\\b.{0,30}|interesting|" +
    "(?:nice|good|great|lovely) to .*|(?:have|enjoy) (?:a|your) .*|here (?:you go|it is|we go)|let'?s .*|let me .*|" +
    "salut|bonjour|bonsoir|merci|hola|gracias|adi[oó]s|hallo|guten (?:tag|morgen|abend)|danke|tsch[uü]ss|ciao|grazie|ol[aá]|obrigad[oa]|" +
    "こんにちは|ありがとう(?:ございます)?|你好|谢谢|привет|спасибо",
);

/** Remarks about the conversation or the moment, which are not worth remembering. */
const OF_THE_MOMENT = [
  /^(?:i|we) (?:do not|don't|didn't|did not|can't|cannot) (?:know|understand|see|think so|remember|care|mind|agree|get it|recall)\b.{0,30}$/i,
  /^(?:i|we) (?:see(?! (?:an?|my|our) )|understand|agree|know|guess|think so|hope so|suppose|get it|wonder|appreciate|apologi[sz]e|bet|mean)\b.{0,40}$/i,
  /^(?:i|we) (?:hope|guess|think|suppose|believe) (?:you|that you|so|not|this|that|it)\b/i,
  /^(?:i|we) (?:was|am|were|are) (?:just )?(?:wondering|asking|curious|looking forward|thinking|kidding|joking)\b(?! of (?:moving|leaving))/i,
  /^(?:i'm|we're) (?:just )?(?:wondering|asking|curious|looking forward|kidding|joking)\b/i,
  /^(?:i'm|i am|we're|we are) (?:(?:so|really|very|a bit|not|quite|pretty|all|just|still) )*(?:sure|sorry|fine|good|ok|okay|well|great|ready|back(?! (?:from|at|to|in|on)\b)|here|done|glad|happy|tired|hungry|thirsty|bored|busy|excited|afraid so|confused|lost|stuck|impressed|surprised|grateful)\b(?! (?:at|with my|in my)\b).{0,30}$/i,
  /^(?:i|we) (?:need|want|would like|'d like|wish)(?:'d like)? (?:you|your|to (?:know|ask|understand|see|thank))\b/i,
  /^(?:i|we)'d (?:like|love|want|appreciate|prefer) (?:you|your|it if you|if you|to (?:know|ask|understand|see|thank))\b/i,
  /^(?:i|we)(?:'d| would)? (?:like|love|need|want|prefer) (?:an?|the|some|another|more|\d+|two|three|all|your) .{0,60}\b(?:summary|summaries|overview|examples?|list|table|version|draft|translation|explanation|answer|details?|help|options?|ideas?|suggestions?|headline|title|text|paragraph|code|below|above|asap|instead|again|please)\b/i,
  /^(?:looking forward|look forward|hope|hoping|hopefully|thinking|wondering|talk|speak|chat|see|catch|sounds?|looks?|seems?|works?|makes?|got|gotta|cannot|can't|couldn't|doesn't|didn't|won't|not|still|wrong|same|exactly|just|almost|back|more|less|better|worse|nice|good|great|bad|sad|funny|weird|strange|too|very|so|what|how|why) (?!(?:in|at) \p{Lu})(?!(?:moved|sold|bought|left|quit|got|had|live|work)\b)(?:(?!\b(?:I|my|our|we|i'm|i've)\b).){1,60}$/iu,
  /^(?:it|he|she|they|that|this)(?:'s|'re| is| are| was| were| has| does| doesn't| didn't| did| will| won't| can| can't)? (?:just |still |not |now |really |so |all |exactly )*(?:broken|working|wrong|right|true|false|like|the same|as|what|how|why|work|help|matter|make|fail|crash|error|a (?:shame|pity|pain|mess|joke|problem|bit|lot)|odd|weird|strange|funny|ok|better|worse|slow|there|gone)\b/i,
  /^(?:my|our) (?:bad|fault|mistake|apolog\w+|pleasure|last message|previous message|question|point|turn|guess)\b/i,
  /^(?:i|we)(?:'m| am|'re| are)? (?:said|told|mentioned|meant|asked|wrote|already|not sure|see|follow)\b(?! an? | my| that (?:i|my|our|we))(?!.*\b(?:that|my|our) \p{Ll}+ \p{Ll}+).{0,40}$/iu,
  /^(?:not |just |exactly |almost |pretty much |quite |more or less )+(?:what|how|as) (?:i|we|you)\b.{0,40}$/i,
  /^(?:hold|hang) on\b|^(?:just )?(?:one|a) (?:moment|sec|second|minute)\b|^(?:wait|give me) (?:a|one) (?:moment|sec|second|minute)\b|^back in (?:a|\d)/i,
  /^the (?:same|usual|other one|first one|second one|last one|latter|former)(?: (?:as|like|again|one|please)\b.{0,40})?$/i,
  /^(?:the )?(?:phone|doorbell|bell)(?:'s| is) ringing/i,
  /^as (?:discussed|agreed|mentioned|promised|requested|expected|usual|always|before|above|said|per|you|i)\b.{0,40}$/i,
  /^(?:i|we)(?:'m| am|'re| are)? (?:not )?(?:sure|certain) (?:i|if|how|what|why|where|whether)\b/i,
  /\bwithout you\b/i,
  /^(?:he|she|they|you) (?:knows?|said|says|told|means?|meant|thinks?)\b/i,
  /^(?:i|we) have (?:a|one|some|another|two) (?:\w+ )?(?:questions?|requests?|problem here|favou?rs?)\b/i,
  /^(?:you(?! (?:have |just |already )*(?:moved|switched|upgraded|downgraded|changed|migrated|put|set|increased|raised|lowered|renewed|extended|reassigned) (?:us|me|our|my)\b)|your|this(?! (?:spring|summer|autumn|winter|fall|year|month|week|term|semester|season|christmas|easter),? (?:i|we|my|our)\b)|that|these(?! days)|those|there(?! (?:are|is) (?:now )?\S+ (?:of (?:us|them)|people)\b)|here)\b/i,
  /^it(?:'s| is| was| will be)? (?:\w+ )?(?:raining|snowing|sunny|cold|hot|late|early|cloudy|windy|time|getting|true|possible|important|fine|great|good|nice|okay|ok)\b/i,
  /^(?:can|could|would|will|should|may|might|do|does|did|is|are|was|were|have|has|what|who|whom|whose|where|when|why|how|which)\b(?=\s+(?:i|you|we|he|she|they|it|this|that|there|the|a|an|my|your|our|do|does|is|are|about|to|much|many|should|would|can)\b)/i,
];

const ASKS =
  /^(?:please|pls|kindly|tell|give|write|show|explain|make|let|help|fix|translate|summari[sz]e|list|create|add|remove|delete|find|send|remind|try|go|come|wait|look|stop|do|don't|use|consider|think|imagine|describe|compare|convert|generate|draft|rewrite|update|change|check|compute|calculate|suggest|recommend|answer|reply|respond|provide|tl;dr|shorten|see|confirm|approve|submit|attach|proceed|continue|repeat|keep|set|put|open|turn|call|book|schedule|order|never|always|avoid|pretend|act|ignore|forget|say|ask|read|analy[sz]e|review|rate|rank|pick|choose|get|take)\b(?!\s+(?:#?\d+\s+)?(?:is|are|was|were|has|runs|lives|works|shipped|arrived)\b)/i;

/** What is said of it, and does not say what "it" is. */
const OF_NOTHING =
  /^(?:i|we)(?:'ve| have|'ll| will|'m| am)?(?: just| already| finally| really| don't| didn't| can't| couldn't| won't| do not| did not| cannot)* \p{L}+ (?:(?:it|that|this|them|so)(?: \p{L}+)?|one)$/iu;
const INTERJECTION = new RegExp(`^(?:(?:${GREETING})\\b[\\s,!.…-]*)+`, "i");

const plain = (text: string) => text.replaceAll("’", "'");

/** The number of characters that only lead up to a statement. */
export const leadLength = (text: string): number => LEAD.exec(plain(text))?.[0].length ?? 0;

/**
 * Whether a text is a greeting, thanks, a reaction, or about this moment alone. With `hasReferent`, "it" can stand for
 * a named thing, whose name or number is worth remembering.
 */
export function isChatter(text: string, hasReferent = false): boolean {
  const said = plain(text).trim();
  if (!/\p{L}/u.test(said)) return true;
  if (hasReferent && /^[Ii]t(?:'s| is) (?:[\p{Lu}\d]|(?:now )?(?:called|named|in|on|at) |\w+ now$)/u.test(said))
    return false;
  if (!hasReferent && OF_NOTHING.test(said)) return true;
  const bare = said.replace(INTERJECTION, "");
  return [said, bare].some(one => SAID_ALONE.test(one) || OF_THE_MOMENT.some(pattern => pattern.test(one)));
}

/** A supposition, or a condition that is known to be false. */
const SUPPOSED =
  /^(?:(?:let's |let us )?(?:suppose|assume|imagine|pretend)(?:d|ing)?\b|what if\b|(?:let's|let us) say\b|say (?:i|we|my|our)\b|if (?:only )?[^,]*\b(?:were|was|had|could|lived|worked|knew|would)\b[^,]*(?:,[^,]*)?\b(?:would|could|might|'d)\b|i(?: really)? wish\b|if only\b|if (?:i|we|my|our)\b.*(?:\b(?:would|could|might)\b|'d\b))/i;

/** Whether the text corrects an earlier statement. */
export const isCorrection = (text: string): boolean => CORRECTION.test(plain(text));

/** Whether the text is only a supposition. */
export const isSupposed = (text: string): boolean => SUPPOSED.test(plain(text).trim());

/** Whether the text asks for an action and states nothing. */
export const isRequest = (text: string): boolean => ASKS.test(plain(text).trim());
