/* include/remat/export.h - what can be seen from outside of libRemat. */
#ifndef REMAT_EXPORT_H
#define REMAT_EXPORT_H

#if defined(__GNUC__)
#define REMAT_EXPORT __attribute__((visibility("default")))
#else
#define REMAT_EXPORT
#endif

#endif
