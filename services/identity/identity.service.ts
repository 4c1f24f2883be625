import type { Service, ServiceSchema } from "moleculer";
import type { GuardedFetch } from "../../adapters/net/port.ts";
import { config } from "../../config.ts";
import { hashKeyMixin } from "../../service-kit/hash-key.mixin.ts";
import { sealerFor } from "../../service-kit/sealer.ts";
import { throttledWarn } from "../../service-kit/throttled-warn.ts";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { tokenReader } from "./access-token.ts";
import { events } from "./account-events.ts";
import * as apiKeys from "./api-keys.ts";
import * as browser from "./browser-session.ts";
import { commandCode, loginByCode } from "./command-sign-in.ts";
import { login, register } from "./password-sign-in.ts";
import * as factors from "./factors.ts";
import { forgot, forgotPasswordMixin } from "./forgot-password.ts";
import { confirmEmail } from "./change-email.ts";
import { installation } from "./installation.ts";
import { KeyUses } from "./key-uses.ts";
import {
  accountEvents,
  emailChanges,
  apiKeys as apiKeyCollection,
  passkeys as passkeyCollection,
  passwordResets,
  providerLinks,
  recoveries,
  resetRequests,
  sessions,
  spentTokens,
  TOTP_SECRETS,
  totps,
  users as userCollection,
} from "./model.ts";
import { knowsAddress } from "./known-address.ts";
import { decoyHash } from "./password.ts";
import { status } from "./operator-status.ts";
import * as operated from "./operator-users.ts";
import { isOperatorAction } from "./operators.ts";
import { mailChoices, me, updateMe, userByEmail, users } from "./profile.ts";
import { readReset, reset } from "./reset-password.ts";
import * as passkeySignIn from "./passkey-sign-in.ts";
import * as passkeys from "./passkeys.ts";
import * as links from "./provider-links.ts";
import { proveStore } from "./prove-store.ts";
import { logout, refresh } from "./refresh-session.ts";
import * as sessionActions from "./sessions.ts";
import type { WithTotp } from "./second-factor.ts";
import * as sso from "./sso.ts";
import { connectProviders } from "./sso-providers.ts";
import { operatorRemove, removeMe } from "./remove-user.ts";
import { rotate } from "./rotate-key.ts";
import { sweepIdentity } from "./sweep.ts";
import { verify, type WithCredentials } from "./verify-bearer.ts";

const identity: ServiceSchema = {
  name: "identity",
  mixins: [
    sweepMixin(sweepIdentity),
    forgotPasswordMixin,
    hashKeyMixin,
    storeMixin([
      userCollection,
      sessions,
      passwordResets,
      resetRequests,
      totps,
      accountEvents,
      emailChanges,
      apiKeyCollection,
      passkeyCollection,
      recoveries,
      providerLinks,
      spentTokens,
    ]),
  ],
  actions: {
    register,
    login,
    refresh,
    logout,
    verify,
    installation,
    "browser.register": browser.register,
    "browser.login": browser.login,
    "browser.token": browser.token,
    "browser.logout": browser.logout,
    "browser.commandCode": commandCode,
    loginByCode,
    "browser.sso.begin": sso.begin,
    "browser.sso.finish": sso.finish,
    "browser.passkeys.begin": passkeySignIn.begin,
    "browser.passkeys.finish": passkeySignIn.finish,
    "passkeys.list": passkeys.list,
    "passkeys.begin": passkeys.begin,
    "passkeys.finish": passkeys.finish,
    "passkeys.rename": passkeys.rename,
    "passkeys.remove": passkeys.remove,
    "sso.logout": sso.logout,
    "providers.list": links.list,
    "providers.begin": links.begin,
    "providers.finish": links.finish,
    "providers.remove": links.remove,
    "password.forgot": forgot,
    "password.readReset": readReset,
    "password.reset": reset,
    events,
    knowsAddress,
    "email.confirm": confirmEmail,
    "factors.read": factors.read,
    "factors.prove": factors.prove,
    "factors.beginTotp": factors.begin,
    "factors.confirmTotp": factors.confirm,
    "factors.removeTotp": factors.removeTotp,
    "factors.renewCodes": factors.renewCodes,
    "sessions.list": sessionActions.list,
    "sessions.remove": sessionActions.remove,
    "sessions.removeOthers": sessionActions.removeOthers,
    me,
    updateMe,
    users,
    userByEmail,
    mailChoices,
    proveStore,
    isOperator: isOperatorAction,
    "operator.status": status,
    "operator.users.list": operated.list,
    "operator.users.get": operated.get,
    "operator.users.create": operated.create,
    "operator.users.update": operated.update,
    removeMe,
    "operator.users.remove": operatorRemove,
    "operator.users.makeResetLink": operated.makeResetLink,
    "operator.users.endSessions": operated.endSessions,
    "operator.users.removeFactors": operated.removeFactors,
    "apiKeys.create": apiKeys.create,
    "apiKeys.rotate": rotate,
    "apiKeys.list": apiKeys.list,
    "apiKeys.remove": apiKeys.remove,
    "apiKeys.purge": apiKeys.purge,
  },
  async started(this: Service & Partial<WithStore & WithCredentials & WithTotp>) {
    const { parts, nets } = connectProviders();
    Object.assign(this, parts, { nets });
    this.totpSealer = sealerFor(TOTP_SECRETS);
    this.readToken = tokenReader(config().JWT_SECRET);
    this.keyUses = new KeyUses(this.store!, throttledWarn(this.logger));
    // Computed before the first sign-in with an unknown address, which would otherwise take longer than later ones.
    await decoyHash();
  },
  async stopped(this: Service & { nets?: GuardedFetch[] }) {
    await Promise.all((this.nets ?? []).map(net => net.close()));
  },
};

export default identity;
