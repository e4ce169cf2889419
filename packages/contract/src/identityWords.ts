// What stands in the place of a person's name when the name is no longer kept: the same words in every language, for programs.

/** The member was erased on demand. */
export const deletedMember = 'deleted_member'
/** The Space keeps who it was for a time, which is over. */
export const notKept = 'not_kept'
