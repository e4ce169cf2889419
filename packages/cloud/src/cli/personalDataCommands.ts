// The operator's commands on the personal data of a member: what they do and print.

import { personalDataAppOperations } from '@callgate/contract/app/personalData'
import { mailFiles, mailFolderIn } from '../mail/mailFolder.ts'
import { continueErasures } from '../privacy/erasure.ts'
import { memberData } from '../privacy/memberData.ts'
import { personalDataHandlers } from '../privacy/personalDataHandlers.ts'
import { type CommandWork, refuse } from './commandWork.ts'
import { isRefused, linkParts, operatorIn } from './operator.ts'

const none = refuse('There is no member with this id; see "callgate member list".')

export const personalDataWork = {
  async export(parts, { member: memberId = '', space }) {
    const operator = await operatorIn(parts, { space })
    if (isRefused(operator)) return operator
    const pieces = await memberData(parts, { spaceId: operator.spaceId, memberId })
    if (!pieces) return none
    let text = ''
    for await (const piece of pieces) text += piece
    return { ok: true, json: JSON.parse(text) as object, text: text.trimEnd() }
  },

  async erase(parts, { member: memberId = '', space, yes }) {
    const operator = await operatorIn(parts, { space })
    if (isRefused(operator)) return operator
    if (yes === undefined)
      return refuse(
        `Nothing was erased. With --yes the member ${memberId} is gone for good: name, phone, e-mail and note, the link and all accesses, and the name in openings and activity. Nobody can undo it.`,
      )
    const links = await linkParts(parts)
    if (isRefused(links)) return links
    const given = { ...parts, ...links }
    const { eraseMember } = personalDataHandlers({ ...given, erasing: () => {} })
    const { call } = operator
    const erased = await call(personalDataAppOperations.eraseMember, eraseMember, { params: { memberId } })
    if (!erased.ok) return none
    const folder = mailFolderIn(parts.config.dataFolder)
    await continueErasures({ ...given, mailFiles: mailFiles(folder, parts.world) })
    const text = `The member ${memberId} is erased, with the mails to them in ${folder}. Backups and files that were saved before still have the data.`
    return { ok: true, json: { memberId, isErased: true }, text }
  },
} satisfies Record<string, CommandWork>
