// Branches that no test takes, and why.

import type { Explained } from './branches.ts'

export const explained: readonly Explained[] = [
  {
    why: 'The index is in range, or the group is part of every match; the compiler cannot know.',
    lines: {
      'cloud/src/core/limits.ts': [
        'if (logs.size <= mostKeys && nowMs - (log.at(-1) ?? 0) < windowMs) return',
      ],
      'cloud/src/core/packetGuard.ts': ['if (!readHead(bytes[at] ?? 0)) return false'],
      'cloud/src/core/schedule/decide.ts': ['if ((edges[middle] ?? Infinity) <= position) low = middle + 1'],
      'cloud/src/core/schedule/week.ts': [
        'pieces.push({ fromMs: edges[place] ?? 0, toMs: edges[place + 1] ?? 0 })',
      ],
      'gateway/src/journalLines.ts': ["const rest = lines.pop() ?? ''"],
      'modem/src/core/judgement.ts': [
        "return confidences[Math.max(confidences.indexOf(most), confidences.indexOf(confidence))] ?? 'unknown'",
      ],
      'modem/src/core/ladder.ts': ["return rungs[(failures - 1) % rungs.length] ?? 'restart'"],
      'modem/src/core/lines.ts': [
        "const detail = match[1] ?? ''",
        "if (caller) return { urc: 'caller', phoneNumber: caller[1] ?? '' }",
        "if (sim) return { urc: 'sim', state: sim[1] ?? '' }",
      ],
      'modem/src/core/message.ts': [
        "text += alphabet[(((high << 8) | low) >> (bit & 7)) & 0x7f] ?? ' '",
        'text += String.fromCharCode(((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0))',
        'const from = addressOf(bytes[start + 2] ?? 0, bytes.subarray(start + 3, addressEnd), digitCount)',
        'return { from, text: textOf(data, bytes[addressEnd + 1] ?? 0, length, (kind & 0x40) !== 0) }',
      ],
    },
  },
  {
    why: 'What stands before it has seen to that: it was set, or sorted out, a few lines above.',
    lines: {
      'cloud/src/core/connectionBounds.ts': ['const left = (this.#perAddress.get(known.address) ?? 1) - 1'],
      'cloud/src/gateway/gatewayWire.ts': ['const left = (this.#atWork.get(gatewayId) ?? 1) - 1'],
      'gateway/src/journalFile.ts': [
        "return file ? { ok: true, value: file } : { ok: false, code: 'EBADF' }",
      ],
      'gateway/src/journalLines.ts': ['for (const entry of others) if (entry) applyEntry(content, entry)'],
      'modem/src/core/callVerdict.ts': [
        'const isSoon = (endMs ?? 0) < soonestReactionMs && alertedMs === null && activeMs === null',
      ],
    },
  },
  {
    why: 'Nobody but us writes there: a schedule is checked when it is taken.',
    lines: {
      'cloud/src/core/schedule/week.ts': ['return daysOfWeek ?? []'],
    },
  },
  {
    why: 'Every Intl that we know writes an offset like this; should one not, it counts as none.',
    lines: {
      'cloud/src/core/schedule/zone.ts': [
        '/GMT(?:([+-])(\\d\\d):(\\d\\d)(?::(\\d\\d))?)?$/.exec(format.format(atMs)) ?? []',
        'const size = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)',
      ],
    },
  },
  {
    why: "An error that is not the system's is a bug of ours, and is thrown on to end the process.",
    lines: {
      'gateway/src/journalDisk.ts': [
        "return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined",
        'if (code === undefined) throw error',
      ],
    },
  },
]
