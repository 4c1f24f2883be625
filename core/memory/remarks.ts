// Remarks about the talk, the listener or the moment, which state nothing to be remembered.

/** What opens a remark and has no content of its own. */
const OPENING =
  /^(?:(?:(?:ha){2,}h?|he(?:he)+|a+r+gh+|u+gh+|aw+|o+h+|ooh|wow|whoa|phew|yikes|oops|yay|hooray|woohoo|bravo|brilliant|cheers|interesting|awesome|amazing|lovely|superb|splendid|excellent|perfect|great|good|nice|cool|fab|fantastic|fine|right|okay|ok|yes|yeah|yep|no|nope|sorry|wait|hello|hi|hey|hiya|morning|evening|thanks|thank you|ta|many thanks|well|so|oh dear|my god|omg|gosh|goodness|blimey|seriously|honestly|really|exactly|indeed|true|noted|understood|got it|never mind|there|again|my friend|mate|buddy|dear|love|happy (?:\p{L}+day|new year|easter|christmas|birthday)|merry christmas)(?![\p{L}'])[\s,!.…:;-]*)+/iu;

const REMARKS: readonly RegExp[] = [
  // To the listener.
  /^you(?:'re|'ve|'ll|'d)? (?!can (?:reach|call|find|contact|email|phone|text)|(?:may|should|must|need|don't|do not|will find)\b)(?:(?:have|are|were|did|do|really|just|always|never|already|still|so) )*(?:right|wrong|welcome|great|the best|a (?:star|legend|genius|lifesaver|gem|life ?saver|treasure)|amazing|brilliant|kind|sweet|funny|saved|helped|made (?:my|me)|rock|know (?:it|that|what)|got (?:it|that)|misunderstood|forgot|missed|said|told|mentioned|promised|lost|repeat\w*|read (?:my|that))\b/iu,
  /^(?:saved|made) (?:me|my) (?:\p{L}+ ){0,2}(?:day|hours?|time|morning|bacon)\b/iu,
  // A question that expects a yes.
  /\b(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|should)(?:n['’]t) (?:he|she|it|they|we|you|i)$|,? (?:right|innit|eh|huh)$/iu,
  // An order to the assistant, for now.
  /^(?:please |just |now |then |ok |and )*(?:play|pause|resume|skip|start over|begin again|stop (?:it|that|there)|go (?:on|ahead|back)|carry on|scroll|zoom|sing|hum|guess|draw|paint|sketch|calculate|count|define|spell|proofread|edit|correct|format|reformat|rephrase|paraphrase|expand|simplify|shorten|condense|outline|brainstorm|search|google|look (?:it |that |this )?up|print|paste|copy|undo|redo|delete that|cancel that|export|download|upload|attach|refresh|reload|reset that|run (?:it|that|this)|open (?:it|that|this|the)|close (?:it|that|this)|turn (?:it|that|this)|read (?:it|that|this|me|out)|repeat|slow down|hurry|speak up|louder|quieter|shush|hush|test(?:ing)?(?:,? (?:one|1|testing))?)\b(?! (?:is|are|was|were|has|runs?)\b)/iu,
  /^use (?:bullet ?points|a table|fewer words|simpler words|your own words|shorter|more)\b.*\b(?:this time|here|now|please)$/iu,
  // About the talk itself.
  /\b(?:typos?|autocorrect|typing|this chat|this conversation|this thread|my last (?:message|question)|your (?:last )?(?:answer|reply|message|explanation|suggestion|summary|response))\b/iu,
  /^(?:i|we) (?:would|could|should|might)(?: not|n['’]t| never)? have (?:thought|guessed|imagined|known|expected|said|done)\b/iu,
  // Of the moment.
  /^(?:it's|it is|it was|what) (?:me|you|us|only me|a (?:\p{L}+ )?(?:day|week|morning|night|mess|shame|pity|relief|surprise))\b/iu,
  /^(?:this|that|today|what an?|it)(?:'s| is| was)? ?(?:\p{L}+ )?(?:day|week|morning|evening|weather)\b.{0,40}$/iu,
  /^(?:that|this|it)(?:'ll| will) (?:do|be all|be fine|work|help)\b/iu,
  /^(?:sleep (?:well|tight)|sweet dreams|rest well|take care|stay (?:safe|well)|drive safely|safe travels|see (?:you|ya)|talk (?:soon|later)|until next time|fingers crossed|good ?night|have fun)\b/iu,
  /^(?:my|your) (?:stomach hurts|sides hurt|head is spinning|brain is fried|bad|fault|mistake)\b/iu,
];

/** Whether a text is a remark, with or without an interjection before it. */
export function isRemark(text: string): boolean {
  const said = text.replaceAll("’", "'").trim();
  const rest = said.replace(OPENING, "").replace(/[\s.!,;…]+$/u, "");
  return rest === "" || REMARKS.some(pattern => pattern.test(rest));
}
