/* lib/support/wide.h - integers of 128 bits, for products of two of 64. Both
 * compilers that we build with have them, as an extension. */
#ifndef RM_SUPPORT_WIDE_H
#define RM_SUPPORT_WIDE_H

__extension__ typedef __int128 RmWide;
__extension__ typedef unsigned __int128 RmUnsignedWide;

#endif
