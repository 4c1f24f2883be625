import { v7 as uuid } from "uuid";

/**
 * Fields that say that an execution leaves something to be done elsewhere. Each time has an id of its own, so that who has
 * done what was left before does not take what is left since for done.
 */
export const leftToDo = () => ({ followUp: true, followUpId: uuid() });
